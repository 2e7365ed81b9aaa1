import { describe, expect, test } from 'vitest'
import { recordWrongCode } from '../../server/activations/admission/guessing.ts'
import { isPublicAddress, networkOf } from '../../server/kit/public-address.ts'

const blocks: Record<string, string> = {
  'this network': '0.0.0.0 0.255.255.255',
  private: '10.0.0.0 10.255.255.255 172.16.0.0 172.31.255.255 192.168.0.0 192.168.255.255',
  'shared by carriers': '100.64.0.0 100.127.255.255',
  loopback: '127.0.0.1 127.255.255.254 ::1',
  'link-local': '169.254.0.1 169.254.255.255 fe80::1 febf::1 fe80::1%eth0',
  'the metadata of clouds':
    '169.254.169.254 168.63.129.16 ::ffff:168.63.129.16 fd00:ec2::254 100.100.100.200 192.0.0.192',
  'protocol assignments': '192.0.0.1 192.0.0.170',
  documentation: '192.0.2.1 198.51.100.1 203.0.113.1 2001:db8::1 3fff::1 3fff:fff::1',
  'AS112, relays, benchmarks':
    '192.31.196.1 192.52.193.1 192.88.99.1 192.175.48.1 198.18.0.1 198.19.255.255 2620:4f:8000::1 2001:2::1',
  'multicast, reserved, broadcast': '224.0.0.1 239.255.255.255 240.0.0.1 255.255.255.255 ff00::1 ff02::1',
  unspecified: ':: 0.0.0.0',
  'compatible with IPv4': '::7f00:1 ::127.0.0.1 ::a00:1 ::8.8.8.8',
  'IPv4 in IPv6': '::ffff:127.0.0.1 ::ffff:7f00:1 ::ffff:10.0.0.1 ::ffff:169.254.169.254 ::ffff:0:127.0.0.1',
  translated: '64:ff9b::1 64:ff9b::127.0.0.1 64:ff9b::8.8.8.8 64:ff9b:1::1 64:ff9b:1:ffff::1',
  'discarded and dummies': '100::1 100::ffff:ffff:ffff:ffff 100:0:0:1::1',
  'Teredo, ORCHID, 6to4, SRv6':
    '2001::1 2001:0:ffff::1 2001:10::1 2001:1f::1 2001:20::1 2001:2f::1 2002::1 2002:7f00:1::1 5f00::1',
  'unique local and site-local': 'fc00::1 fd00::1 fdff::1 fec0::1 feff::1',
  'no address at all': 'localhost example.com 1.2.3.4.5 256.1.1.1 :::1 1.1.1.1/32',
}

describe('an address that is not of the public internet', () => {
  test.each(Object.entries(blocks))('%s: %s', (_, addresses) => {
    expect(addresses.split(' ').filter(isPublicAddress)).toEqual([])
  })
})

test('what is beside those blocks is public', () => {
  const addresses =
    '1.1.1.1 8.8.8.8 168.63.129.15 168.63.129.17 9.255.255.255 11.0.0.0 100.63.255.254 100.128.0.1 172.15.255.255 172.32.0.1 192.167.255.255 192.169.0.1 ' +
    '198.17.255.255 198.20.0.0 223.255.255.255 2001:4860:4860::8888 2606:4700:4700::1111 ::ffff:8.8.8.8 64:ff9c::1'
  expect(addresses.split(' ').filter((address) => !isPublicAddress(address))).toEqual([])
})

test('callers are counted by IPv4 address, however it is written, and by the first 64 bits of IPv6', () => {
  expect(['192.0.2.1', '::ffff:192.0.2.1', '::ffff:c000:201'].map(networkOf)).toEqual(Array(3).fill('192.0.2.1'))
  expect(networkOf('192.0.2.2')).toBe('192.0.2.2')
  const home = ['2001:db8:1:2::1', '2001:DB8:1:2:ffff:ffff:ffff:ffff', '2001:db8:1:2::1%eth0'].map(networkOf)
  expect(new Set(home).size).toBe(1)
  expect(home).not.toContain(networkOf('2001:db8:1:3::1'))
  expect(networkOf('')).toBe('')
})

test('who goes from one IPv6 address to the next shows no more wrong codes for it', () => {
  const show = (ip: string) => recordWrongCode({ tenant: { id: 'one' } as never, ip })
  for (let shown = 0; shown < 6000; shown++) show(`2001:db8:1:2::${shown.toString(16)}`)
  expect(() => show('2001:db8:1:2:ffff::')).toThrow('too many wrong activation codes')
  expect(() => show('2001:db8:1:3::')).not.toThrow()
})
