# Built with everything, shipped with what runs. Nothing in the image writes anywhere but to /data.
FROM node:24-slim AS build
WORKDIR /build
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts
COPY tsconfig.json tsconfig.build.json redocly.yaml ./
COPY openapi openapi
COPY scripts scripts
COPY assembly assembly
COPY docs docs
COPY src src
RUN npm run build && npm prune --omit=dev --ignore-scripts

FROM node:24-slim
ENV NODE_ENV=production \
    LOREGRAPH_HOST=0.0.0.0 \
    LOREGRAPH_PORT=7400 \
    LOREGRAPH_DATA=/data
WORKDIR /app
COPY --from=build /build/node_modules node_modules
COPY --from=build /build/dist dist
COPY package.json LICENSE ./
COPY openapi/openapi.yaml openapi/openapi.yaml
COPY model model
COPY examples examples
COPY assembly/*.wasm assembly/
# A new volume takes its owner from here.
RUN mkdir /data && chown node:node /data
VOLUME /data
USER node
EXPOSE 7400
# The service handles the signal itself, as the first process of the container, too.
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s --retries=3 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + process.env.LOREGRAPH_PORT + '/livez').then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "dist/main.js"]
CMD ["serve"]
