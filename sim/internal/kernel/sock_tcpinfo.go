package kernel

import (
	"time"
	"unsafe"

	"golang.org/x/sys/unix"

	"github.com/orrery-sim/orrery/net"
)

// tcpStates are Linux's numbers of TCP's states.
var tcpStates = [...]uint8{
	net.Established: unix.BPF_TCP_ESTABLISHED,
	net.SynSent:     unix.BPF_TCP_SYN_SENT,
	net.SynReceived: unix.BPF_TCP_SYN_RECV,
	net.FinWait1:    unix.BPF_TCP_FIN_WAIT1,
	net.FinWait2:    unix.BPF_TCP_FIN_WAIT2,
	net.TimeWait:    unix.BPF_TCP_CLOSE, // the socket itself has done with it
	net.Closed:      unix.BPF_TCP_CLOSE,
	net.CloseWait:   unix.BPF_TCP_CLOSE_WAIT,
	net.LastAck:     unix.BPF_TCP_LAST_ACK,
	net.Listen:      unix.BPF_TCP_LISTEN,
	net.Closing:     unix.BPF_TCP_CLOSING,
}

// tcpInfo is a struct tcp_info, with what the network models. Times are in
// microseconds.
func (o *socket) tcpInfo(b []byte) int {
	i := o.s.Info()
	t := unix.TCPInfo{
		State: tcpStates[i.State], Retransmits: uint8(min(i.Tries, 255)), Backoff: uint8(i.Backoff),
		Rto: uint32(i.RTO / time.Microsecond), Rtt: uint32(i.RTT / time.Microsecond), Rttvar: uint32(i.RTTVar / time.Microsecond),
		Snd_mss: segmentMax, Rcv_mss: segmentMax, Advmss: segmentMax, Pmtu: mtu,
		Unacked: uint32(i.Segments), Notsent_bytes: uint32(i.Unsent),
		Bytes_acked: uint64(i.Acked), Bytes_received: uint64(i.Received), Total_retrans: uint32(i.Retransmitted),
		Snd_wnd: uint32(i.Window), Rcv_space: uint32(i.Space),
	}
	n := min(int(unsafe.Sizeof(t)), len(b))
	return copy(b, unsafe.Slice((*byte)(unsafe.Pointer(&t)), n))
}
