"""Write the phrases of `noughts.games.phrases` as a module for the scripts of the pages.

python tools/phrases.py > src/noughts/web/static/core/phrases.js
python tools/phrases.py hints > src/noughts/web/static/core/hint_phrases.js
"""

import json
import sys

from noughts.games.hint_phrases import HINTS, HINTS_ON_PAGE
from noughts.games.phrases import LINES, ON_PAGE, PHRASES, PLACES

tables: dict[str, object]
if sys.argv[1:] == ["hints"]:
    source = "noughts/games/hint_phrases.py"
    tables = {"HINTS": HINTS, "HINTS_ON_PAGE": HINTS_ON_PAGE}
else:
    source = "noughts/games/phrases.py"
    tables = {"PLACES": PLACES, "LINES": LINES, "PHRASES": PHRASES, "ON_PAGE": ON_PAGE}

print(f"// Written by tools/phrases.py from {source}: change them there.\n")
for name, value in tables.items():
    print(f"export const {name} = {json.dumps(value, ensure_ascii=False, indent=2)};")
