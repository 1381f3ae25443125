# syntax=docker/dockerfile:1
# One image for server and engine. Built without network beyond Debian's packages and an npm registry.
FROM node:24-bookworm-slim AS build
RUN apt-get update \
 && apt-get install -y --no-install-recommends g++ \
 && rm -rf /var/lib/apt/lists/*
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY scripts/bootstrap.mjs scripts/build-whisper.mjs scripts/
COPY engine/speech/whisper-cpp/addon engine/speech/whisper-cpp/addon
# The image must run on other hosts than the one that builds it: x86-64-v3, never the build host's own instruction set.
ENV AWAZ_MARCH=x86-64-v3
RUN node scripts/bootstrap.mjs
COPY . .
RUN node scripts/bootstrap.mjs --input-type=module -e "import('/app/scripts/web/build.ts').then((web) => web.buildWebIfStale('/app'))" \
 && npm prune --omit=dev --ignore-scripts \
 && rm -rf node_modules/@ffmpeg-installer node_modules/ffmpeg-static node_modules/.awaz/whisper-sources

FROM debian:bookworm-slim
RUN apt-get update \
 && apt-get install -y --no-install-recommends ffmpeg ca-certificates tini \
 && rm -rf /var/lib/apt/lists/* \
 && useradd --uid 10001 --home-dir /app --shell /usr/sbin/nologin awaz \
 && install -d -o awaz -g awaz -m 0700 /data
WORKDIR /app
COPY --from=build --chown=root:root /app /app
ENV HOST=0.0.0.0 PORT=5000 DATA_DIR=/data MODELS_DIR=/app/models NODE_ENV=production
USER 10001
VOLUME /data
EXPOSE 5000
HEALTHCHECK --interval=15s --timeout=5s --start-period=60s --retries=4 CMD ["/app/docker/healthcheck.sh"]
ENTRYPOINT ["/usr/bin/tini", "--", "/app/docker/entrypoint.sh"]
CMD ["start"]
