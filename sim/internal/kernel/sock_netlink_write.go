package kernel

import (
	"encoding/binary"
	"syscall"

	"golang.org/x/sys/unix"

	"github.com/orrery-sim/orrery/net"
)

// netlinkWriter writes the messages that answer a request of netlink.
type netlinkWriter struct {
	request syscall.NlMsghdr
	port    uint32
	b       []byte
	start   int // of the message at work
}

func (w *netlinkWriter) begin(kind, flags uint16) {
	w.start = len(w.b)
	w.b = binary.NativeEndian.AppendUint32(w.b, 0) // its length, once it is known
	w.b = binary.NativeEndian.AppendUint16(w.b, kind)
	w.b = binary.NativeEndian.AppendUint16(w.b, flags)
	w.b = binary.NativeEndian.AppendUint32(w.b, w.request.Seq)
	w.b = binary.NativeEndian.AppendUint32(w.b, w.port)
}

func (w *netlinkWriter) end() {
	binary.NativeEndian.PutUint32(w.b[w.start:], uint32(len(w.b)-w.start))
	w.pad()
}

func (w *netlinkWriter) pad() {
	for len(w.b)%4 != 0 {
		w.b = append(w.b, 0)
	}
}

func (w *netlinkWriter) attr(kind uint16, value []byte) {
	w.b = binary.NativeEndian.AppendUint16(w.b, uint16(4+len(value)))
	w.b = binary.NativeEndian.AppendUint16(w.b, kind)
	w.b = append(w.b, value...)
	w.pad()
}

func (w *netlinkWriter) number(kind uint16, n uint32) {
	w.attr(kind, binary.NativeEndian.AppendUint32(nil, n))
}

// link writes what there is of an interface.
func (w *netlinkWriter) link(h *Host, d *netDevice) {
	w.begin(syscall.RTM_NEWLINK, syscall.NLM_F_MULTI)
	w.b = append(w.b, syscall.AF_UNSPEC, 0)
	w.b = binary.NativeEndian.AppendUint16(w.b, d.kind)
	w.b = binary.NativeEndian.AppendUint32(w.b, uint32(d.index))
	w.b = binary.NativeEndian.AppendUint32(w.b, d.flags)
	w.b = binary.NativeEndian.AppendUint32(w.b, 0)
	w.attr(unix.IFLA_IFNAME, []byte(d.name+"\x00"))
	w.number(unix.IFLA_MTU, uint32(d.mtu))
	w.number(unix.IFLA_TXQLEN, 1000)
	mac, all := d.hardware(h), [6]byte{}
	if d.index == net.Ethernet {
		all = [6]byte{0xff, 0xff, 0xff, 0xff, 0xff, 0xff}
	}
	w.attr(unix.IFLA_ADDRESS, mac[:])
	w.attr(unix.IFLA_BROADCAST, all[:])
	w.end()
}

// addrs writes an interface's addresses, of the family that the request names.
func (w *netlinkWriter) addrs(k *Kernel, h *Host, d *netDevice, request []byte) {
	family := byte(syscall.AF_UNSPEC)
	if len(request) > syscall.SizeofNlMsghdr {
		family = request[syscall.SizeofNlMsghdr]
	}
	for _, p := range k.deviceAddrs(h, d) {
		of := byte(syscall.AF_INET6)
		if p.Addr().Is4() {
			of = syscall.AF_INET
		}
		if family != syscall.AF_UNSPEC && family != of {
			continue
		}
		scope := byte(unix.RT_SCOPE_UNIVERSE)
		if d.index == net.Loopback {
			scope = unix.RT_SCOPE_HOST
		}
		w.begin(syscall.RTM_NEWADDR, syscall.NLM_F_MULTI)
		w.b = append(w.b, of, byte(p.Bits()), unix.IFA_F_PERMANENT, scope)
		w.b = binary.NativeEndian.AppendUint32(w.b, uint32(d.index))
		w.attr(unix.IFA_ADDRESS, p.Addr().AsSlice())
		if of == syscall.AF_INET {
			w.attr(unix.IFA_LOCAL, p.Addr().AsSlice())
			if d.index == net.Ethernet {
				w.attr(unix.IFA_BROADCAST, net.Broadcast(p.Addr()).AsSlice())
			}
			w.attr(unix.IFA_LABEL, []byte(d.name+"\x00"))
		}
		w.end()
	}
}
