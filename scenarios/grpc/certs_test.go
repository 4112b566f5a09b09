package grpc

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"testing"
	"testing/fstest"
	"time"

	"github.com/orrery-sim/orrery/sim"
)

// authority makes certificates, inside the world: their keys are the seed's.
type authority struct {
	key    *ecdsa.PrivateKey
	cert   *x509.Certificate
	serial int64
}

func newAuthority(w *sim.World) *authority {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		w.T().Fatal(err)
	}
	a := &authority{key: key}
	tmpl := a.template("authority")
	tmpl.IsCA, tmpl.BasicConstraintsValid, tmpl.KeyUsage = true, true, x509.KeyUsageCertSign
	a.cert = tmpl
	der := a.sign(w.T(), tmpl, key)
	if a.cert, err = x509.ParseCertificate(der); err != nil {
		w.T().Fatal(err)
	}
	return a
}

func (a *authority) template(name string) *x509.Certificate {
	a.serial++
	now := time.Now()
	return &x509.Certificate{
		SerialNumber: big.NewInt(a.serial), Subject: pkix.Name{CommonName: name}, DNSNames: []string{name},
		NotBefore: now.Add(-time.Hour), NotAfter: now.Add(24 * time.Hour),
		KeyUsage:    x509.KeyUsageDigitalSignature,
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth},
	}
}

func (a *authority) sign(t *testing.T, tmpl *x509.Certificate, key *ecdsa.PrivateKey) []byte {
	der, err := x509.CreateCertificate(rand.Reader, tmpl, a.cert, &key.PublicKey, a.key)
	if err != nil {
		t.Fatal(err)
	}
	return der
}

// equip gives a node a certificate, its key and the authority's.
func (a *authority) equip(t *testing.T, n *sim.Node) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	private, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	err = n.Import(fstest.MapFS{
		fileCA[1:]:   file("CERTIFICATE", a.cert.Raw),
		fileCert[1:]: file("CERTIFICATE", a.sign(t, a.template(n.Name()), key)),
		fileKey[1:]:  file("PRIVATE KEY", private),
	})
	if err != nil {
		t.Fatal(err)
	}
}

func file(kind string, der []byte) *fstest.MapFile {
	return &fstest.MapFile{Data: pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der}), Mode: 0o600}
}
