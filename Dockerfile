# One image for `serve`, `work`, `migrate` and the other commands. It contains no secrets, and no file of it needs to be writable.
#
# For several architectures: docker buildx build --platform linux/amd64,linux/arm64 . What is built is JavaScript, so it is built once, on the
# machine's own architecture, and the last stage runs nothing: no emulation is needed. The two images are arguments, for a mirror or a pinned digest;
# the defaults are tags, so that a build has the security updates of its day.
ARG NODE_IMAGE=node:24-bookworm-slim
ARG BASE_IMAGE=debian:bookworm-slim

# Only what decides about dependencies, so that a change of a source file does not install them again.
FROM --platform=$BUILDPLATFORM ${NODE_IMAGE} AS manifests
WORKDIR /vidimus
COPY . .
RUN mkdir /manifests && find . \( -name package.json -o -name package-lock.json -o -name .npmrc \) -exec cp --parents -t /manifests {} +

# Settings for another registry come as a secret and stay in no layer: docker build --secret id=npmrc,src=$HOME/.npmrc .
FROM --platform=$BUILDPLATFORM ${NODE_IMAGE} AS dependencies
WORKDIR /vidimus
COPY --from=manifests /manifests ./
RUN --mount=type=secret,id=npmrc,target=/root/.npmrc --mount=type=cache,target=/root/.npm \
  npm ci --omit=dev --omit=optional --workspace=@vidimus/service --include-workspace-root=false
COPY tools/program-package/keep-installed.ts ./
# Most are in the program's own files. Of the others, tests, declarations and maps are not loaded; licences stay.
RUN node keep-installed.ts && rm -rf node_modules/*/test node_modules/@*/*/test && mkdir -p apps/service/node_modules && \
  find . -type f \( -name '*.ts' -o -name '*.cts' -o -name '*.mts' -o -name '*.map' -o -name '*.md' \) ! -iname 'licen[cs]e*' -delete

FROM --platform=$BUILDPLATFORM ${NODE_IMAGE} AS build
WORKDIR /vidimus
COPY --from=manifests /manifests ./
# The guides list the limits of the service, so they are built with its dependencies.
RUN --mount=type=secret,id=npmrc,target=/root/.npmrc --mount=type=cache,target=/root/.npm \
  npm ci --include-workspace-root=false --workspace=@vidimus/service \
  --workspace=@vidimus/dashboard --workspace=@vidimus/guides --workspace=@vidimus/till --workspace=@vidimus/verify --workspace=@vidimus/component
COPY . .
RUN npm run build --workspace=@vidimus/component --workspace=@vidimus/verify --workspace=@vidimus/dashboard --workspace=@vidimus/guides --workspace=@vidimus/till && \
  npm run program
RUN mkdir -p /folders/checkpoints /folders/ledger /links && ln -s /vidimus/apps/service/src/main.js /links/vidimus

FROM ${NODE_IMAGE} AS node

FROM ${BASE_IMAGE}
WORKDIR /vidimus
ENV NODE_ENV=production
COPY --from=node /usr/local/bin/node /usr/local/bin/
COPY --from=build /links/ /usr/local/bin/
COPY --from=dependencies /vidimus/node_modules ./node_modules
COPY --from=dependencies /vidimus/apps/service/node_modules ./apps/service/node_modules
COPY --from=build /vidimus/apps/service/dist ./
# For AUDIT_CHECKPOINT_DIR and ERASURE_LEDGER: a new volume takes over the owner of the folder that it is mounted on.
COPY --from=build --chown=1000:1000 /folders/checkpoints /checkpoints
COPY --from=build --chown=1000:1000 /folders/ledger /ledger
# By number, so that Kubernetes can see that it is not root.
USER 1000:1000
EXPOSE 8080 9464
# `serve` and `work` need at most 15 s to finish what they do.
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=30s --timeout=5s --start-period=30s CMD ["vidimus", "health"]
ENTRYPOINT ["vidimus"]
CMD ["serve"]
