#!/bin/sh
# Makes what deploy/compose.yaml needs and is not there yet: secrets, one a file in deploy/secrets, and in deploy/.env the
# digests of the images. What is there stays, so it may be run again at any time; `--images` looks the digests up anew.
set -eu
umask 077
cd "$(dirname "$0")"

mkdir -p secrets
# The folder keeps others out; the files are read by whoever the containers run as.
write() { [ -e "secrets/$1" ] || { printf '%s' "$2" >"secrets/$1.new"; chmod 644 "secrets/$1.new"; mv "secrets/$1.new" "secrets/$1"; }; }
random() { od -An -N24 -tx1 /dev/urandom | tr -d ' \n'; }
for name in earshot-secret superuser-password owner-password service-password temporal-password; do write "$name" "$(random)"; done
write database-url "postgres://earshot_service:$(cat secrets/service-password)@postgres:5432/earshot"
write migration-url "postgres://earshot_owner:$(cat secrets/owner-password)@postgres:5432/earshot"
write admin-password "$(random)"
# Empty is not set: put the key of a model, the secret of the provider of sign-in, or the address of a mail server in.
for name in model-key anthropic-key oidc-client-secret smtp-url; do write "$name" ""; done

[ -e .env ] || cp .env.example .env
[ "${1:-}" = --images ] && sed -i.before 's/^\([A-Z_]*_IMAGE\)=.*/\1=/' .env
pin() {
  grep -q "^$1=..*" .env && return
  digest=$(docker buildx imagetools inspect "$2" --format '{{.Manifest.Digest}}')
  case $digest in sha256:*) ;; *) echo "No digest of $2: $digest" >&2; exit 1 ;; esac
  grep -v "^$1=" .env >.env.new || true
  echo "$1=${2%:*}@$digest" >>.env.new
  mv .env.new .env
}
pin NODE_IMAGE docker.io/library/node:24-bookworm-slim
pin POSTGRES_IMAGE docker.io/library/postgres:18
pin TEMPORAL_IMAGE docker.io/temporalio/auto-setup:1.29
pin CADDY_IMAGE docker.io/library/caddy:2
echo "deploy/secrets and deploy/.env are there. Keep a copy of deploy/secrets/earshot-secret; the first person's password is in deploy/secrets/admin-password."
