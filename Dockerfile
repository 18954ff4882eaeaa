# Image of splitwatch: the built program, its settings and the few packages that are not bundled. State: /data.
# `npm run pin` adds the digest: see docs/security.md, supply chain.
ARG NODE_IMAGE=node:24.19.0-alpine3.24

FROM ${NODE_IMAGE} AS build
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci
COPY . .
RUN npm run build && node scripts/runtime-packages.mjs /runtime/node_modules \
 && cp -r bin dist config package.json LICENSE /runtime/

FROM ${NODE_IMAGE}
# Half of these threads look up names. While DNS doesn't answer, the sources' names must leave one for the database's.
ENV NODE_ENV=production UV_THREADPOOL_SIZE=64 HOST=0.0.0.0 PORT=8080 DATA_DIR=/data
RUN rm -rf /usr/local/lib/node_modules /usr/local/bin/npm /usr/local/bin/npx /opt/yarn* \
 && mkdir /data && chown node:node /data && chmod 700 /data && ln -s /app/bin/splitwatch.js /usr/local/bin/splitwatch
COPY --from=build /runtime /app
USER node
WORKDIR /data
VOLUME /data
EXPOSE 8080
HEALTHCHECK --interval=30s --timeout=5s --start-period=20s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/healthz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["splitwatch"]
CMD ["start"]
