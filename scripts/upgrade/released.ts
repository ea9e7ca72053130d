/** The last released version, which may run beside this one: a release sets both. */

export const released = {
  version: '0.2.0',
  commit: '1f06d045469335e9b5fcdcb9eef046df18582e66',
} as const;
