/** `date` and `date-time`: full-date and date-time of RFC 3339 section 5.6, with real calendar days and leap seconds. */

const FULL_DATE = /^(\d{4})-(\d\d)-(\d\d)$/;
const DATE_TIME =
  /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(?:\.\d+)?(?:Z|([+-])(\d\d):(\d\d))$/i;
const DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
const MINUTES_A_DAY = 24 * 60;

// RFC 3339 appendix C.
const isLeapYear = (year: number): boolean =>
  year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);

const daysOf = (year: number, month: number): number =>
  month === 2 && isLeapYear(year) ? 29 : (DAYS[month - 1] ?? 0);

const isDay = (year: number, month: number, day: number): boolean =>
  day >= 1 && day <= daysOf(year, month);

/** Leap seconds stand at 23:59:60 UTC on the last day of a month (RFC 3339 section 5.7). */
const isLeapMinute = (daysLeft: number, day: number, utcMinutes: number): boolean => {
  if ((utcMinutes + MINUTES_A_DAY) % MINUTES_A_DAY !== MINUTES_A_DAY - 1) return false;
  if (utcMinutes < 0) return day === 1;
  return daysLeft === (utcMinutes < MINUTES_A_DAY ? 0 : 1);
};

/** Whether the text is a full-date of RFC 3339. */
export const isDate = (text: string): boolean => {
  const [, year, month, day] = FULL_DATE.exec(text) ?? [];
  return year !== undefined && isDay(Number(year), Number(month), Number(day));
};

/** Whether the text is a date-time of RFC 3339. */
export const isDateTime = (text: string): boolean => {
  const parts = DATE_TIME.exec(text);
  if (parts === null) return false;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = parts
    .slice(1, 7)
    .map(Number);
  const [offsetHour, offsetMinute] = [Number(parts[8] ?? 0), Number(parts[9] ?? 0)];
  if (!isDay(year, month, day)) return false;
  if (hour > 23 || minute > 59 || offsetHour > 23 || offsetMinute > 59) return false;
  if (second < 60) return true;
  const offset = (offsetHour * 60 + offsetMinute) * (parts[7] === '-' ? -1 : 1);
  const daysLeft = daysOf(year, month) - day;
  return second === 60 && isLeapMinute(daysLeft, day, hour * 60 + minute - offset);
};
