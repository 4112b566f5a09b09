package net

import (
	"fmt"
	"time"
)

// Config sets up a network. Its zero value is a small data centre: every packet
// takes 0.5 to 5 ms, uniformly, and none is lost.
type Config struct {
	// LatencyMin and LatencyMax bound what a packet takes between two hosts;
	// both 0 stand for 500 µs and 5 ms.
	LatencyMin, LatencyMax time.Duration

	// Loss is the probability that a packet between two hosts is lost.
	Loss float64

	// SegmentMax is the most payload of a TCP segment in bytes; 0 stands for
	// 16 KiB, as a host with segmentation offload sees it. 1460 is Ethernet's.
	SegmentMax int

	// SendBuffer and RecvBuffer are the sizes of a socket's buffers in bytes; 0
	// stands for 256 KiB.
	SendBuffer, RecvBuffer int
}

const (
	latencyMinDefault = 500 * time.Microsecond
	latencyMaxDefault = 5 * time.Millisecond
	segmentMaxDefault = 16 << 10
	bufferDefault     = 256 << 10
	bufferLeast       = 4 << 10

	// loopbackLatency is what a packet takes within a host. It is fixed: the
	// loopback draws nothing.
	loopbackLatency = 10 * time.Microsecond

	// queueMax bounds the bytes that wait for a link of limited rate.
	queueMax = 1 << 20
)

// datagramMost is the most payload of a UDP datagram, by the family.
var datagramMost = [families]int{65507, 65527}

// Timing of TCP, by Linux's defaults.
const (
	rtoFirst     = time.Second            // before the first round trip is measured
	rtoLeast     = 200 * time.Millisecond // TCP_RTO_MIN
	rtoMost      = 2 * time.Minute        // TCP_RTO_MAX
	timeWait     = time.Minute            // TCP_TIMEWAIT_LEN
	finWait      = time.Minute            // net.ipv4.tcp_fin_timeout
	keepIdle     = 2 * time.Hour          // net.ipv4.tcp_keepalive_time
	keepInterval = 75 * time.Second       // net.ipv4.tcp_keepalive_intvl
	keepCount    = 9                      // net.ipv4.tcp_keepalive_probes

	synTries    = 6  // net.ipv4.tcp_syn_retries: gives up after 127 s
	synAckTries = 5  // net.ipv4.tcp_synack_retries
	dataTries   = 15 // net.ipv4.tcp_retries2: gives up after about 15 minutes
	orphanTries = 8  // net.ipv4.tcp_orphan_retries

	backlogMax = 4096 // net.core.somaxconn
)

func (c Config) withDefaults() Config {
	if c.LatencyMin == 0 && c.LatencyMax == 0 {
		c.LatencyMin, c.LatencyMax = latencyMinDefault, latencyMaxDefault
	}
	if c.SegmentMax == 0 {
		c.SegmentMax = segmentMaxDefault
	}
	if c.SendBuffer == 0 {
		c.SendBuffer = bufferDefault
	}
	if c.RecvBuffer == 0 {
		c.RecvBuffer = bufferDefault
	}
	return c
}

// Validate says what is wrong with c, if anything is.
func (c Config) Validate() error {
	c = c.withDefaults()
	switch {
	case c.LatencyMin < 0 || c.LatencyMax < c.LatencyMin:
		return fmt.Errorf("net config: latency from %v to %v, want 0 <= min <= max", c.LatencyMin, c.LatencyMax)
	case c.Loss < 0 || c.Loss > 1:
		return fmt.Errorf("net config: loss is %v, want a probability from 0 to 1", c.Loss)
	case c.SegmentMax < 1 || c.SegmentMax > 64<<10:
		return fmt.Errorf("net config: segment of %d bytes at most, want 1 to 65536", c.SegmentMax)
	case c.SendBuffer < bufferLeast || c.RecvBuffer < bufferLeast:
		return fmt.Errorf("net config: buffers of %d and %d bytes, want at least %d", c.SendBuffer, c.RecvBuffer, bufferLeast)
	}
	return nil
}
