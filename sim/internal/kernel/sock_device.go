package kernel

import (
	"encoding/binary"
	"net/netip"
	"syscall"

	"golang.org/x/sys/unix"

	"github.com/orrery-sim/orrery/net"
)

// netDevice is one of a host's network interfaces.
type netDevice struct {
	index net.Interface
	name  string
	flags uint32
	mtu   int
	kind  uint16 // ARPHRD_
}

const mtu = 1500

const deviceUp = unix.IFF_UP | unix.IFF_RUNNING | unix.IFF_LOWER_UP

// netDevices are those that every host has, by their index less 1.
var netDevices = [...]netDevice{
	{net.Loopback, "lo", deviceUp | unix.IFF_LOOPBACK, 65536, unix.ARPHRD_LOOPBACK},
	{net.Ethernet, "eth0", deviceUp | unix.IFF_BROADCAST | unix.IFF_MULTICAST, mtu, unix.ARPHRD_ETHER},
}

func deviceNamed(name string) *netDevice {
	for i := range netDevices {
		if netDevices[i].name == name {
			return &netDevices[i]
		}
	}
	return nil
}

func deviceAt(index int) *netDevice {
	if index < 1 || index > len(netDevices) {
		return nil
	}
	return &netDevices[index-1]
}

// deviceName is the name with its NUL, as SO_BINDTODEVICE answers it.
func deviceName(i net.Interface) string {
	if d := deviceAt(int(i)); d != nil {
		return d.name + "\x00"
	}
	return ""
}

// hardware is the address of a device: made of the host's number, and locally
// administered.
func (d *netDevice) hardware(h *Host) (mac [6]byte) {
	if d.index == net.Ethernet {
		mac[0] = 0x02
		binary.BigEndian.PutUint32(mac[2:], uint32(h.index)+1)
	}
	return mac
}

// deviceAddrs are the addresses of a device with the lengths of their prefixes.
func (k *Kernel) deviceAddrs(h *Host, d *netDevice) (out []netip.Prefix) {
	if d.index == net.Loopback {
		return []netip.Prefix{netip.MustParsePrefix("127.0.0.1/8"), netip.MustParsePrefix("::1/128")}
	}
	for _, f := range [...]net.Family{net.IPv4, net.IPv6} {
		if a := k.net.HostAddr(h.Net, f); a.IsValid() {
			out = append(out, netip.PrefixFrom(a, net.PrefixBits(f)))
		}
	}
	return out
}

func (s *sockOptions) setDevice(value []byte) syscall.Errno {
	name := unixName(value[:min(len(value), unix.IFNAMSIZ-1)])
	if name == "" || name[0] == 0 {
		s.device = 0
		return 0
	}
	d := deviceNamed(name)
	if d == nil {
		return syscall.ENODEV
	}
	s.device = d.index
	return 0
}

// interfaceRequest answers what ioctl tells of interfaces: SIOCGIF and its kin.
func (o *socket) interfaceRequest(request, arg uintptr) (uintptr, syscall.Errno) {
	host := o.k.hostOf(o.s.Host())
	if request == unix.SIOCGIFCONF {
		return 0, o.k.listDevices(host, arg)
	}
	r := (*interfaceQuery)(pointer(arg))
	var d *netDevice
	if request == unix.SIOCGIFNAME {
		if d = deviceAt(int(r.number())); d != nil {
			r.name = [unix.IFNAMSIZ]byte{}
			copy(r.name[:], d.name)
			return 0, 0
		}
		return 0, syscall.ENODEV
	}
	if request < unix.SIOCGIFNAME || request > unix.SIOCGIFTXQLEN {
		return 0, syscall.ENOTTY
	}
	if d = deviceNamed(unixName(r.name[:])); d == nil {
		return 0, syscall.ENODEV
	}
	return 0, o.k.tellDevice(host, d, request, r)
}

// interfaceQuery is a struct ifreq.
type interfaceQuery struct {
	name [unix.IFNAMSIZ]byte
	data [24]byte
}

func (r *interfaceQuery) number() int32     { return int32(binary.NativeEndian.Uint32(r.data[:])) }
func (r *interfaceQuery) setNumber(n int32) { binary.NativeEndian.PutUint32(r.data[:], uint32(n)) }

func (r *interfaceQuery) setAddr(a netip.Addr) {
	var b [sizeofAddrMost]byte
	as := address{family: syscall.AF_INET, ip: netip.AddrPortFrom(a, 0)}
	copy(r.data[:], b[:as.encode(&b)])
}

func (k *Kernel) tellDevice(h *Host, d *netDevice, request uintptr, r *interfaceQuery) syscall.Errno {
	switch request {
	case unix.SIOCGIFINDEX:
		r.setNumber(int32(d.index))
	case unix.SIOCGIFFLAGS:
		binary.NativeEndian.PutUint16(r.data[:], uint16(d.flags))
	case unix.SIOCGIFMTU:
		r.setNumber(int32(d.mtu))
	case unix.SIOCGIFMETRIC:
		r.setNumber(0)
	case unix.SIOCGIFTXQLEN:
		r.setNumber(1000)
	case unix.SIOCGIFHWADDR:
		mac := d.hardware(h)
		binary.NativeEndian.PutUint16(r.data[:], d.kind)
		copy(r.data[2:], mac[:])
	case unix.SIOCGIFADDR, unix.SIOCGIFNETMASK, unix.SIOCGIFBRDADDR, unix.SIOCGIFDSTADDR:
		return k.tellAddr(h, d, request, r)
	default:
		return syscall.ENOTTY
	}
	return 0
}

func (k *Kernel) tellAddr(h *Host, d *netDevice, request uintptr, r *interfaceQuery) syscall.Errno {
	p := k.deviceAddrs(h, d)
	if len(p) == 0 || !p[0].Addr().Is4() {
		return syscall.EADDRNOTAVAIL
	}
	switch request {
	case unix.SIOCGIFNETMASK:
		var mask [4]byte
		binary.BigEndian.PutUint32(mask[:], ^uint32(0)<<(32-p[0].Bits()))
		r.setAddr(netip.AddrFrom4(mask))
	case unix.SIOCGIFBRDADDR:
		if d.index == net.Loopback {
			r.setAddr(netip.IPv4Unspecified())
		} else {
			r.setAddr(net.Broadcast(p[0].Addr()))
		}
	default:
		r.setAddr(p[0].Addr())
	}
	return 0
}

// listDevices answers SIOCGIFCONF: the interfaces with addresses of IPv4.
func (k *Kernel) listDevices(h *Host, arg uintptr) syscall.Errno {
	conf := at[struct {
		size int32
		_    int32
		list uintptr
	}](arg)
	const each = unix.IFNAMSIZ + 24
	n := uintptr(0)
	for i := range netDevices {
		d := &netDevices[i]
		if p := k.deviceAddrs(h, d); len(p) == 0 || !p[0].Addr().Is4() {
			continue
		}
		if conf.list != 0 {
			if n+each > uintptr(conf.size) {
				break
			}
			r := at[interfaceQuery](conf.list + n)
			*r = interfaceQuery{}
			copy(r.name[:], d.name)
			k.tellAddr(h, d, unix.SIOCGIFADDR, r)
		}
		n += each
	}
	conf.size = int32(n)
	return 0
}

func (k *Kernel) hostOf(id net.HostID) *Host {
	for _, h := range k.hosts {
		if h.Net == id {
			return h
		}
	}
	return nil
}
