# The program, small: no shell, no root. By itself it shows the demo clinic; `serve` is the live service, which writes nothing.
#
#   docker build -t nameplate .
#   docker run -p 8080:8080 nameplate
#   docker run --read-only --cap-drop ALL --security-opt no-new-privileges --stop-timeout 20 \
#     -p 8080:8080 -v "$PWD/content:/content:ro" nameplate serve
#
# The content is mounted, not built in: it changes more often than the program. A stop drains for ten seconds, which
# is all that Docker gives by default, hence the time. There is no HEALTHCHECK, because the image has no shell and no
# curl to run one. /readyz and /metrics are on port 9090, for operators alone, and that listens inside the container only.
# If an orchestrator asks it from outside, set NAMEPLATE_ADMIN=0.0.0.0:9090 and let no one else reach it, as
# deploy/kubernetes/nameplate.yaml does.

# A release makes the image from its own programs: it has `/programs` in a build context named `build`, instead of the stage.
#
# Images are named by digest, since a tag can be moved to another image.
FROM rust:1.95-bookworm@sha256:6258907abe69656e41cd992e0b705cdcfabcbbe3db374f92ed2d47121282d4a1 AS build
ARG TARGETARCH
WORKDIR /source
COPY . .
RUN cargo build --profile dist --locked --all-features --bin nameplate \
    && install -D target/dist/nameplate "/programs/$TARGETARCH/nameplate"

# glibc, root certificates, and a user without a name or a home.
FROM gcr.io/distroless/cc-debian12:nonroot@sha256:9dac0a79194e45a7da0158a9c6da57b217585af0786db3845d1f0ec1a0dd182f
ARG TARGETARCH
COPY --from=build --chmod=755 /programs/$TARGETARCH/nameplate /usr/local/bin/nameplate
ENV NAMEPLATE_CONTENT=/content \
    NAMEPLATE_LISTEN=0.0.0.0:8080 \
    NAMEPLATE_ADMIN=127.0.0.1:9090 \
    NAMEPLATE_LOG_FORMAT=json \
    MIMALLOC_PURGE_DELAY=0
USER 65532:65532
EXPOSE 8080
STOPSIGNAL SIGTERM
ENTRYPOINT ["/usr/local/bin/nameplate"]
CMD ["demo", "--listen", "0.0.0.0:8080"]
