#!/bin/sh
# Starts one of Thalweg's programs:
#
#   entrypoint.sh coordinator | worker [ARGUMENT…]     a daemon
#   entrypoint.sh sql | list | … [ARGUMENT…]           a verb of the program `thalweg`
#
# Environment:
#   THALWEG_FOLDER         where the daemon keeps what it must (default /var/lib/thalweg)
#   THALWEG_COORDINATOR    HOST:PORT of the coordinator (default coordinator:6123)
#   THALWEG_BIND_HOST      the address that the coordinator listens on (default 0.0.0.0)
#   THALWEG_SECURITY       a folder with ca.pem, daemon.pem, daemon.key, token, as `thalweg certs` makes it
#   THALWEG_INSECURE       `true`: listen without them; everybody who reaches the port can run jobs
#   THALWEG_CONFIG         a configuration file
#   THALWEG_PROPERTIES     more settings, key=value, one a line
set -eu

folder=${THALWEG_FOLDER:-/var/lib/thalweg}
coordinator=${THALWEG_COORDINATOR:-coordinator:6123}
bin=$(dirname "$0")
[ -x "$bin/thalweg" ] || bin=${THALWEG_BIN:?where the programs are}

verb=${1:-help}
[ $# -eq 0 ] || shift

# Puts the daemon's settings before the arguments of this script.
run_daemon() {
  program=$1; shift
  if [ -n "${THALWEG_PROPERTIES:-}" ]; then
    while IFS= read -r property; do
      case $property in ''|'#'*) ;; *) set -- -D "$property" "$@" ;; esac
    done <<PROPERTIES
$THALWEG_PROPERTIES
PROPERTIES
  fi
  if [ -n "${THALWEG_SECURITY:-}" ]; then
    set -- -D "thalweg.security.ca=$THALWEG_SECURITY/ca.pem" -D "thalweg.security.certificate=$THALWEG_SECURITY/daemon.pem" \
           -D "thalweg.security.key=$THALWEG_SECURITY/daemon.key" -D "thalweg.security.token-file=$THALWEG_SECURITY/token" "$@"
  elif [ "${THALWEG_INSECURE:-false}" = true ]; then
    set -- --insecure "$@"
  fi
  [ -z "${THALWEG_CONFIG:-}" ] || set -- --config "$THALWEG_CONFIG" "$@"
  exec "$bin/$program" "$@"
}

case $verb in
  coordinator)
    bind=${THALWEG_BIND_HOST:-0.0.0.0}
    run_daemon thalweg-coordinator -D "thalweg.folder=$folder" -D "jobmanager.bind-host=$bind" -D "rest.bind-address=$bind" \
      -D "jobmanager.rpc.port=${coordinator##*:}" "$@"
    ;;
  worker)
    own=${THALWEG_HOST:-$(hostname -i 2>/dev/null | cut -d' ' -f1)}
    run_daemon thalweg-worker -D "thalweg.folder=$folder" -D "taskmanager.host=${own:-127.0.0.1}" \
      -D "jobmanager.rpc.address=${coordinator%:*}" -D "jobmanager.rpc.port=${coordinator##*:}" "$@"
    ;;
  help)
    sed -n '2,/^set -eu/{s/^# \{0,1\}//p;}' "$0"
    exec "$bin/thalweg" --help
    ;;
  list|info|cancel|savepoint|stop|logs|sql)
    set -- --coordinator "$coordinator" "$@"
    [ -z "${THALWEG_SECURITY:-}" ] || set -- --ca "$THALWEG_SECURITY/ca.pem" --token-file "$THALWEG_SECURITY/token" "$@"
    exec "$bin/thalweg" "$verb" "$@"
    ;;
  *) exec "$bin/thalweg" "$verb" "$@" ;;
esac
