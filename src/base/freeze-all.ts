/** Freezes an object and all in it; what a getter gives is frozen by its maker. */
export const freezeAll = <Value>(value: Value): Value => {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  Object.freeze(value);
  for (const member of Object.values(Object.getOwnPropertyDescriptors(value))) {
    freezeAll(member.value);
  }
  return value;
};
