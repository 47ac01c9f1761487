# One image for `serve`, `work`, `migrate` and the other commands. It contains no secrets.
FROM node:24-bookworm-slim AS build
WORKDIR /vidimus
COPY . .
RUN npm ci && npm run build && npm prune --omit=dev --omit=optional

FROM node:24-bookworm-slim
WORKDIR /vidimus
ENV NODE_ENV=production
COPY --from=build --chown=root:root /vidimus/package.json ./
COPY --from=build --chown=root:root /vidimus/node_modules ./node_modules
COPY --from=build --chown=root:root /vidimus/packages ./packages
COPY --from=build --chown=root:root /vidimus/apps ./apps
COPY --from=build --chown=root:root /vidimus/docs ./docs
USER node
EXPOSE 8080 9464
# `serve` needs at most 15 s to finish its requests.
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=3s CMD ["node", "-e", "fetch('http://127.0.0.1:8080/healthz').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "apps/service/src/main.ts"]
CMD ["serve"]
