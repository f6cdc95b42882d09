#!/bin/sh
# make_certs.sh DIR HOST...: a throw-away authority (ca.pem), and a certificate with its key (server.pem) for every HOST.
set -eu

dir=$1
shift
names=DNS:localhost
for host in "$@"; do names="$names,DNS:$host"; done
cd "$dir"
umask 077
openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 3 -subj "/CN=Test authority" \
    -addext "basicConstraints=critical,CA:TRUE" -addext "keyUsage=critical,keyCertSign,cRLSign" \
    -keyout ca.key -out ca.pem
openssl req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj "/CN=model server" -keyout server.key -out server.csr
printf 'basicConstraints=CA:FALSE\nsubjectAltName=%s\nextendedKeyUsage=serverAuth\n' "$names" >extensions
openssl x509 -req -in server.csr -CA ca.pem -CAkey ca.key -CAcreateserial -days 3 -extfile extensions -out server.crt
cat server.crt server.key >server.pem
rm ca.key server.key server.csr server.crt extensions
chmod 644 ca.pem
