#include "client/remote/certificates.h"

#include <fcntl.h>
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/x509v3.h>
#include <unistd.h>

#include <arpa/inet.h>

#include <algorithm>
#include <filesystem>
#include <memory>

#include "common/process/daemon.h"

namespace thalweg::client {
namespace {

constexpr size_t kTokenBytes = 24;
constexpr long kSecondsPerDay = 86400;

struct Release {
  void operator()(EVP_PKEY* key) const { EVP_PKEY_free(key); }
  void operator()(X509* certificate) const { X509_free(certificate); }
  void operator()(BIO* bio) const { BIO_free(bio); }
};
using Key = std::unique_ptr<EVP_PKEY, Release>;
using Certificate = std::unique_ptr<X509, Release>;
using Bio = std::unique_ptr<BIO, Release>;

Status failed(const std::string& what) {
  char text[256] = "unknown cause";
  if (const unsigned long code = ERR_get_error(); code != 0) ERR_error_string_n(code, text, sizeof(text));
  return Status::internal(what + ": " + text);
}

Status writeNew(const std::string& path, const std::string& content, mode_t mode) {
  const int file = open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
  if (file < 0) return Status::io("cannot make " + path + ": " + std::string(strerror(errno)));
  const ssize_t written = write(file, content.data(), content.size());
  const bool synced = fsync(file) == 0;
  if (close(file) != 0 || !synced || written != static_cast<ssize_t>(content.size())) return Status::io("cannot write " + path);
  return {};
}

std::string textOf(BIO* bio) {
  char* data = nullptr;
  const long size = BIO_get_mem_data(bio, &data);
  return {data, static_cast<size_t>(size)};
}

Result<std::string> pemOf(EVP_PKEY* key) {
  const Bio bio(BIO_new(BIO_s_mem()));
  if (!bio || PEM_write_bio_PrivateKey(bio.get(), key, nullptr, nullptr, 0, nullptr, nullptr) != 1) return failed("writing a key");
  return textOf(bio.get());
}

Result<std::string> pemOf(X509* certificate) {
  const Bio bio(BIO_new(BIO_s_mem()));
  if (!bio || PEM_write_bio_X509(bio.get(), certificate) != 1) return failed("writing a certificate");
  return textOf(bio.get());
}

Status extend(X509* certificate, X509* issuer, int kind, const std::string& value) {
  X509V3_CTX context;
  X509V3_set_ctx_nodb(&context);
  X509V3_set_ctx(&context, issuer, certificate, nullptr, nullptr, 0);
  X509_EXTENSION* extension = X509V3_EXT_conf_nid(nullptr, &context, kind, value.c_str());
  if (extension == nullptr) return failed("the extension " + value);
  const bool added = X509_add_ext(certificate, extension, -1) == 1;
  X509_EXTENSION_free(extension);
  return added ? Status() : failed("the extension " + value);
}

/// A certificate for `key` that says `name`; without extensions and signature.
Result<Certificate> draft(EVP_PKEY* key, const std::string& name, int days) {
  Certificate certificate(X509_new());
  unsigned char serial[16];
  if (!certificate || RAND_bytes(serial, sizeof(serial)) != 1) return failed("a certificate");
  serial[0] &= 0x7f;
  BIGNUM* number = BN_bin2bn(serial, sizeof(serial), nullptr);
  BN_to_ASN1_INTEGER(number, X509_get_serialNumber(certificate.get()));
  BN_free(number);
  X509_set_version(certificate.get(), 2);
  X509_gmtime_adj(X509_getm_notBefore(certificate.get()), -kSecondsPerDay);
  X509_gmtime_adj(X509_getm_notAfter(certificate.get()), kSecondsPerDay * days);
  X509_set_pubkey(certificate.get(), key);
  X509_NAME_add_entry_by_txt(X509_get_subject_name(certificate.get()), "CN", MBSTRING_UTF8, reinterpret_cast<const unsigned char*>(name.c_str()), -1, -1, 0);
  return certificate;
}

Status sign(X509* certificate, EVP_PKEY* key) { return X509_sign(certificate, key, EVP_sha256()) > 0 ? Status() : failed("signing"); }

bool isAddress(const std::string& host) {
  unsigned char bytes[16];
  return inet_pton(AF_INET, host.c_str(), bytes) == 1 || inet_pton(AF_INET6, host.c_str(), bytes) == 1;
}

Result<std::string> alternativeNames(const std::vector<std::string>& hosts) {
  char own[256] = "localhost";
  gethostname(own, sizeof(own) - 1);
  std::vector<std::string> all = {"localhost", own, "127.0.0.1", "::1"};
  all.insert(all.end(), hosts.begin(), hosts.end());
  std::string text;
  for (const std::string& host : all) {
    const bool plain = !host.empty() && std::all_of(host.begin(), host.end(), [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '.' || c == '-' || c == ':' || c == '*'; });
    if (!plain) return Status::invalid("expected a host name or an address, found '" + host + "'");
    text += (text.empty() ? "" : ",") + std::string(isAddress(host) ? "IP:" : "DNS:") + host;
  }
  return text;
}

}  // namespace

Status makeCertificates(const CertificateOptions& options) {
  namespace fs = std::filesystem;
  std::error_code error;
  fs::create_directories(options.folder, error);
  for (const char* name : {"ca.pem", "ca.key", "daemon.pem", "daemon.key", "token"}) {
    if (fs::exists(options.folder + "/" + name, error)) return Status::alreadyExists(options.folder + "/" + name + " exists; nothing was written");
  }
  ASSIGN_OR_RETURN(const std::string names, alternativeNames(options.hosts));
  const Key ca_key(EVP_EC_gen("P-256"));
  const Key key(EVP_EC_gen("P-256"));
  if (!ca_key || !key) return failed("making keys");

  ASSIGN_OR_RETURN(const Certificate ca, draft(ca_key.get(), "Thalweg cluster CA", options.days));
  X509_set_issuer_name(ca.get(), X509_get_subject_name(ca.get()));
  RETURN_IF_ERROR(extend(ca.get(), ca.get(), NID_basic_constraints, "critical,CA:TRUE,pathlen:0"));
  RETURN_IF_ERROR(extend(ca.get(), ca.get(), NID_key_usage, "critical,keyCertSign,cRLSign"));
  RETURN_IF_ERROR(extend(ca.get(), ca.get(), NID_subject_key_identifier, "hash"));
  RETURN_IF_ERROR(sign(ca.get(), ca_key.get()));

  ASSIGN_OR_RETURN(const Certificate daemon, draft(key.get(), "Thalweg daemon", options.days));
  X509_set_issuer_name(daemon.get(), X509_get_subject_name(ca.get()));
  RETURN_IF_ERROR(extend(daemon.get(), ca.get(), NID_basic_constraints, "critical,CA:FALSE"));
  RETURN_IF_ERROR(extend(daemon.get(), ca.get(), NID_key_usage, "critical,digitalSignature"));
  RETURN_IF_ERROR(extend(daemon.get(), ca.get(), NID_ext_key_usage, "serverAuth,clientAuth"));
  RETURN_IF_ERROR(extend(daemon.get(), ca.get(), NID_subject_alt_name, names));
  RETURN_IF_ERROR(sign(daemon.get(), ca_key.get()));

  constexpr mode_t kOwnerOnly = 0600;
  constexpr mode_t kReadable = 0644;
  ASSIGN_OR_RETURN(const std::string ca_key_pem, pemOf(ca_key.get()));
  ASSIGN_OR_RETURN(const std::string ca_pem, pemOf(ca.get()));
  ASSIGN_OR_RETURN(const std::string key_pem, pemOf(key.get()));
  ASSIGN_OR_RETURN(const std::string daemon_pem, pemOf(daemon.get()));
  RETURN_IF_ERROR(writeNew(options.folder + "/ca.key", ca_key_pem, kOwnerOnly));
  RETURN_IF_ERROR(writeNew(options.folder + "/ca.pem", ca_pem, kReadable));
  RETURN_IF_ERROR(writeNew(options.folder + "/daemon.key", key_pem, kOwnerOnly));
  RETURN_IF_ERROR(writeNew(options.folder + "/daemon.pem", daemon_pem, kReadable));
  return writeNew(options.folder + "/token", randomHex(kTokenBytes) + "\n", kOwnerOnly);
}

}  // namespace thalweg::client
