# The image of a release: Debian slim with git, an ssh client, Node and upkeep, which runs as user 10001. It has no npm.
# The build context is the folder of the release, whose tarball is unpacked:  docker build --file Dockerfile release
FROM node:24-trixie-slim AS node

FROM debian:trixie-slim

# Debian's newest fixes, so no versions. libatomic1 is what Node needs beside the libraries that Debian slim has.
# hadolint ignore=DL3008
RUN apt-get update \
    && apt-get install --yes --no-install-recommends ca-certificates git libatomic1 openssh-client \
    && rm -rf /var/lib/apt/lists/* \
    && groupadd --gid 10001 upkeep \
    && useradd --uid 10001 --gid 10001 --create-home --shell /usr/sbin/nologin upkeep

COPY --from=node /usr/local/bin/node /usr/local/bin/node
ADD upkeep-*.tgz /opt/upkeep/
RUN ln -s /opt/upkeep/package/dist/upkeep.js /usr/local/bin/upkeep

ARG VERSION
ARG REVISION
ARG SOURCE
LABEL org.opencontainers.image.title="upkeep" \
      org.opencontainers.image.description="Reconciles a streaming account with the configuration in a git repository" \
      org.opencontainers.image.licenses="Apache-2.0" \
      org.opencontainers.image.version="$VERSION" \
      org.opencontainers.image.revision="$REVISION" \
      org.opencontainers.image.source="$SOURCE"

USER 10001:10001
WORKDIR /home/upkeep
ENTRYPOINT ["upkeep"]
