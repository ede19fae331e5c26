// What a cluster needs to trust itself: a certificate authority of its own, a certificate for its daemons, and a token for
// its clients, each as a file.
//
//   DIR/ca.pem, ca.key       signs; the key is needed again only for more certificates
//   DIR/daemon.pem, daemon.key   for every daemon of the cluster
//   DIR/token                for clients (`--token-file`), together with ca.pem (`--ca`)
//
// Keys and token can be read by their owner only. Files that exist are not replaced. Threads: one caller.
// Errors: ALREADY_EXISTS, IO_ERROR naming the path.
#pragma once

#include <string>
#include <vector>

#include "common/base/status.h"

namespace thalweg::client {

struct CertificateOptions {
  std::string folder;
  std::vector<std::string> hosts;    ///< names and addresses of the daemons, besides this machine's own
  int days = 365;
};

Status makeCertificates(const CertificateOptions& options);

}  // namespace thalweg::client
