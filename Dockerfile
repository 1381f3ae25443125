# One image with server and engine. Built from Debian's packages and an npm registry; started, it needs neither.
# NODE_IMAGE: Debian with Node 20 or newer and npm. BASE_IMAGE: the same Debian, bare. `npm run image:test` builds with its own.
ARG NODE_IMAGE=node:24-bookworm-slim
ARG BASE_IMAGE=debian:bookworm-slim

FROM ${NODE_IMAGE} AS build
RUN apt-get update \
 && apt-get install -y --no-install-recommends g++ \
 && rm -rf /var/lib/apt/lists/*
WORKDIR /src
COPY package.json package-lock.json .npmrc ./
COPY scripts/bootstrap.mjs scripts/build-whisper.mjs scripts/
COPY engine/speech/whisper-cpp/addon engine/speech/whisper-cpp/addon
COPY engine/onnx/addon engine/onnx/addon
# The image must run on other hosts than the one that builds it: x86-64-v3, never the build host's own instruction set.
ENV AWAZ_MARCH=x86-64-v3
RUN node scripts/bootstrap.mjs
COPY . .
RUN node scripts/bootstrap.mjs scripts/release.ts --folder /release --without-ffmpeg

FROM ${BASE_IMAGE}
# ffmpeg's packages depend on drivers of graphics cards (Mesa, LLVM: 160 MB), which nothing here loads. dpkg leaves their files out
# and still knows the packages, so that updates and scanners work.
RUN printf 'path-exclude=%s\n' '/usr/lib/*/libLLVM*' '/usr/lib/*/libz3.so*' '/usr/lib/*/dri/*' '/usr/share/doc/*' '/usr/share/man/*' \
      '/usr/share/locale/*' > /etc/dpkg/dpkg.cfg.d/awaz \
 && echo 'path-include=/usr/share/doc/*/copyright' >> /etc/dpkg/dpkg.cfg.d/awaz \
 && apt-get update \
 && apt-get install -y --no-install-recommends ffmpeg ca-certificates tini \
 && apt-get clean \
 && rm -rf /var/lib/apt/lists/* \
 && useradd --uid 10001 --home-dir /app --shell /usr/sbin/nologin awaz \
 && install -d /models \
 && install -d -o awaz -g awaz -m 0700 /data
COPY --from=build /release /app
WORKDIR /app
ENV HOST=0.0.0.0 PORT=5000 DATA_DIR=/data MODELS_DIR=/models NODE_ENV=production
USER 10001
VOLUME /data
EXPOSE 5000
HEALTHCHECK --interval=15s --timeout=5s --start-period=60s --retries=4 CMD ["/app/docker/healthcheck.sh"]
ENTRYPOINT ["/usr/bin/tini", "--", "/app/awaz"]
CMD ["start"]
