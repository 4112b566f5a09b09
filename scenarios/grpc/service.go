// Package grpc runs unmodified gRPC over TLS through a chain of servers, under
// crashes, kills and partitions: what is acknowledged was executed once, streams
// have their messages in order without gaps, and calls end by their deadlines.
package grpc

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/backoff"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/keepalive"
	"google.golang.org/protobuf/types/known/wrapperspb"
)

// message is what all calls send and answer: words of text, the first of which is
// the call's id.
type message = wrapperspb.StringValue

func text(words ...any) *message {
	return wrapperspb.String(strings.TrimSuffix(fmt.Sprintln(words...), "\n"))
}

// The methods of the service.
const (
	methodDo      = "/calls/Do"      // executes once
	methodCollect = "/calls/Collect" // takes many messages, and answers how many
	methodList    = "/calls/List"    // answers as many messages as it is asked for
	methodEcho    = "/calls/Echo"    // answers each message with the same
)

// service is what a backend serves.
type service interface {
	do(ctx context.Context, m *message) (*message, error)
	collect(grpc.ServerStream) error
	list(grpc.ServerStream) error
	echo(grpc.ServerStream) error
}

func method(full string) string { return full[strings.LastIndexByte(full, '/')+1:] }

var description = grpc.ServiceDesc{
	ServiceName: "calls",
	HandlerType: (*service)(nil),
	Methods: []grpc.MethodDesc{{MethodName: method(methodDo), Handler: func(s any, ctx context.Context, decode func(any) error, _ grpc.UnaryServerInterceptor) (any, error) {
		m := new(message)
		if err := decode(m); err != nil {
			return nil, err
		}
		return s.(service).do(ctx, m)
	}}},
	Streams: []grpc.StreamDesc{
		{StreamName: method(methodCollect), ClientStreams: true, Handler: func(s any, st grpc.ServerStream) error { return s.(service).collect(st) }},
		{StreamName: method(methodList), ServerStreams: true, Handler: func(s any, st grpc.ServerStream) error { return s.(service).list(st) }},
		{StreamName: method(methodEcho), ClientStreams: true, ServerStreams: true, Handler: func(s any, st grpc.ServerStream) error { return s.(service).echo(st) }},
	},
}

// Files of a node. Both ends of a connection show a certificate.
const (
	fileCA   = "/etc/tls/ca.pem"
	fileCert = "/etc/tls/cert.pem"
	fileKey  = "/etc/tls/key.pem"
)

func tlsConfig() (*tls.Config, error) {
	cert, err := tls.LoadX509KeyPair(fileCert, fileKey)
	if err != nil {
		return nil, err
	}
	ca, err := os.ReadFile(fileCA)
	if err != nil {
		return nil, err
	}
	pool := x509.NewCertPool()
	if !pool.AppendCertsFromPEM(ca) {
		return nil, errors.New(fileCA + ": holds no certificate")
	}
	return &tls.Config{
		Certificates: []tls.Certificate{cert}, RootCAs: pool,
		ClientCAs: pool, ClientAuth: tls.RequireAndVerifyClientCert, MinVersion: tls.VersionTLS13,
	}, nil
}

// keepaliveTime is the shortest that gRPC's clients allow.
const keepaliveTime = 10 * time.Second

// dial returns a connection to a server, made when it is first used and again
// when it breaks. No call is sent twice.
func dial(addr string) (*grpc.ClientConn, error) {
	c, err := tlsConfig()
	if err != nil {
		return nil, err
	}
	return grpc.NewClient("dns:///"+addr,
		grpc.WithTransportCredentials(credentials.NewTLS(c)), grpc.WithDisableRetry(),
		grpc.WithConnectParams(grpc.ConnectParams{Backoff: backoff.Config{
			BaseDelay: 100 * time.Millisecond, Multiplier: 1.6, Jitter: 0.2, MaxDelay: time.Second,
		}}),
		grpc.WithKeepaliveParams(keepalive.ClientParameters{Time: keepaliveTime, Timeout: time.Second}))
}

// newServer returns a server that speaks TLS.
func newServer(options ...grpc.ServerOption) (*grpc.Server, error) {
	c, err := tlsConfig()
	if err != nil {
		return nil, err
	}
	return grpc.NewServer(append(options, grpc.Creds(credentials.NewTLS(c)),
		grpc.KeepaliveEnforcementPolicy(keepalive.EnforcementPolicy{MinTime: keepaliveTime / 2}),
		grpc.KeepaliveParams(keepalive.ServerParameters{Time: keepaliveTime, Timeout: time.Second}))...), nil
}
