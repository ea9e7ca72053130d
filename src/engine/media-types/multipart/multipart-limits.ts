/** The bounds of a multipart body, besides its size: far above what forms need, far below what would tie up a process. */

/** Parts of one body, those that are dropped among them. */
export const mostParts = 1000;

/** Headers of one part. */
export const mostHeaders = 32;

/** Bytes of the headers of one part, line ends among them. */
export const mostHeaderBytes = 8 * 1024;

/** RFC 2046 section 5.1.1. */
export const longestBoundary = 70;
