/** What is made of rows: a row that is remembered (read-cache.ts) is the same object each time, and so is what was made of it. */

/** Makes something of each row once. */
export const oncePerRow = <Row extends object, Made extends object>(
  make: (row: Row) => Made,
): ((row: Row) => Made) => {
  const known = new WeakMap<Row, Made>();
  return (row) => {
    const found = known.get(row);
    if (found !== undefined) return found;
    const made = make(row);
    known.set(row, made);
    return made;
  };
};
