/** The users of the demo data, alike in every service; each keeps the properties that its schema declares. */

const demoUser = (id: bigint, username: string, firstName: string, lastName: string) => ({
  id,
  username,
  firstName,
  lastName,
  email: `${username}@example.com`,
  phone: `+33 1 99 00 00 0${id}`,
  userStatus: 1,
  isAgent: username === 'demo',
});

/** Only the first has a password. */
export const demoUsers = [
  demoUser(1n, 'demo', 'Dominique', 'Moreau'),
  demoUser(2n, 'user1', 'Ursula', 'Stone'),
  demoUser(3n, 'user2', 'Umar', 'Field'),
  demoUser(4n, 'user3', 'Una', 'Brook'),
];
