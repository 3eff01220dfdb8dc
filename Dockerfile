# The page as a service: `noughts serve` from a wheel. docs/serve.md has the commands.
# dist/ has the wheel, of `make wheel` or of a release; noughts is never taken from a package index.
ARG PYTHON=3.13

FROM python:${PYTHON}-slim-bookworm AS build
COPY dist/ /wheels/
RUN python -m venv /opt/noughts \
    && /opt/noughts/bin/pip install --no-cache-dir --disable-pip-version-check --only-binary :all: \
       --no-index --no-deps --find-links /wheels noughts \
    && /opt/noughts/bin/pip install --no-cache-dir --disable-pip-version-check --only-binary :all: \
       "noughts[web]"

FROM python:${PYTHON}-slim-bookworm
RUN useradd --system --uid 10001 --home-dir /data noughts \
    && install --directory --owner=noughts --mode=0750 /data
COPY --from=build /opt/noughts /opt/noughts
ENV PATH=/opt/noughts/bin:$PATH \
    PYTHONUNBUFFERED=1 \
    NOUGHTS_HOST=0.0.0.0 \
    NOUGHTS_PORT=8322 \
    NOUGHTS_DATABASE=/data/games.db
USER 10001
WORKDIR /data
VOLUME /data
EXPOSE 8322
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=30s --timeout=5s --start-period=15s --start-interval=1s \
    CMD ["python", "-c", "import os, urllib.request; urllib.request.urlopen(f'http://127.0.0.1:{os.environ[\"NOUGHTS_PORT\"]}/healthz')"]
ENTRYPOINT ["noughts", "serve"]
