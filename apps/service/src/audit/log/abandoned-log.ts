/** The newest checkpoint that a restored log does not continue: size and root (hexadecimal) of its log, and the size of the restored one. */
export type AbandonedLog = { abandoned_size: number; abandoned_root: string; continued_size: number }
