# Two stages: the first builds, the second has only what runs. Debian, because the embedded PostgreSQL is built for glibc.
FROM node:24-bookworm-slim AS build
WORKDIR /app
COPY . .
RUN npm ci && npm run build && npm prune --omit=dev

FROM node:24-bookworm-slim
ENV NODE_ENV=production HOST=0.0.0.0 PORT=8080 DATA_DIR=/data DEMO=off
WORKDIR /app
COPY --from=build --chown=root:root /app /app
# Nothing runs as root. The embedded PostgreSQL, the admin token and nothing else are in /data.
RUN mkdir /data && chown node:node /data
USER node
VOLUME /data
EXPOSE 8080
HEALTHCHECK --interval=10s --timeout=3s --start-period=60s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/healthz`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
# The service itself, so that SIGTERM reaches it.
CMD ["node", "server/dist/bundle/main.js"]
