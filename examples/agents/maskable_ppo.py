"""MaskablePPO of sb3-contrib on an environment of Gymnasium: an agent of another library, measured.

    python examples/agents/maskable_ppo.py FOLDER

It plays against a level of noughts, which it must not know, and learns from rewards alone. The
folder keeps the agent; the same command continues. It needs the extra `rl` and the package
sb3-contrib, which brings PyTorch and is no extra of noughts: `pip install sb3-contrib`.

Source: Huang and Ontañón, "A Closer Look at Invalid Action Masking in Policy Gradient Algorithms",
FLAIRS 2022.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
from sb3_contrib import MaskablePPO
from sb3_contrib.common.wrappers import ActionMasker

import noughts.rl
from noughts.rl.curve import Curve

PART = 10_000
"""Steps between two measurements."""


def mask(env: Any) -> Any:
    """Return which actions are legal: what `info` of the last step said."""
    return env.mask


class KeepMask(gymnasium.Wrapper[Any, Any, Any, Any]):
    """Keeps the mask of legal actions, for which `ActionMasker` asks."""

    mask: Any = None

    def reset(self, **given: Any) -> tuple[Any, dict[str, Any]]:
        observation, info = self.env.reset(**given)
        self.mask = info["action_mask"].astype(bool)
        return observation, info

    def step(self, action: Any) -> Any:
        found = self.env.step(action)
        self.mask = found[-1]["action_mask"].astype(bool)
        return found


def main() -> None:
    parser = argparse.ArgumentParser(description="Train MaskablePPO against a level.")
    parser.add_argument("folder", type=Path, help="for the agent and the curve; made if needed")
    parser.add_argument("--rules", default="basic")
    parser.add_argument("--opponent", default="engine:level=5")
    parser.add_argument("--steps", type=int, default=50_000)
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()

    given.folder.mkdir(parents=True, exist_ok=True)
    file, curve = given.folder / "agent.zip", Curve(given.folder / "curve.jsonl")
    env = ActionMasker(
        KeepMask(
            gymnasium.make(
                "noughts/MNK-v0", rules=given.rules, opponent=given.opponent, plays="random"
            )
        ),
        mask,
    )
    if file.exists():
        agent = MaskablePPO.load(file, env)
    else:
        agent = MaskablePPO("MlpPolicy", env, seed=given.seed, gamma=1.0, device="cpu")

    def policy(observations: Any, legal: Any) -> Any:
        return np.asarray(agent.predict(observations, action_masks=legal, deterministic=True)[0])

    while True:
        report = noughts.rl.evaluate(policy, given.rules, seed=given.seed)
        curve.add(agent.num_timesteps, report)
        print(
            f"{agent.num_timesteps:,} steps: regret {report.measure.regret:.3f} a move", flush=True
        )
        if agent.num_timesteps >= given.steps:
            break
        agent.learn(PART, reset_num_timesteps=False)
        agent.save(file)
    print(report)


if __name__ == "__main__":
    main()
