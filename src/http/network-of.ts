/** The networks that addresses belong to. */

import ipaddr from 'ipaddr.js';

/**
 * Gives the network of an address, by which a host is recognized: an IPv6 host chooses the last 64 bits itself (RFC 4291 section
 * 2.5.4), and an IPv4 address may be written as one of IPv6. Other texts stay as they are.
 */
export const networkOf = (address: string): string => {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  return parsed instanceof ipaddr.IPv6
    ? `${new ipaddr.IPv6([...parsed.parts.slice(0, 4), 0, 0, 0, 0])}/64`
    : parsed.toString();
};

/** Tells whether an address, also an IPv4 one in the form of IPv6, is one of the public internet: no private, loopback, link-local or reserved one. */
export const isPublicAddress = (address: string): boolean =>
  ipaddr.isValid(address) && ipaddr.process(address).range() === 'unicast';
