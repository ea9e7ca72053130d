/** The last released version, which may run beside this one: a release sets both. */

export const released = {
  version: '0.3.0',
  commit: '8250f4683f939f24a071ffe5e993aacd8865af17',
} as const;
