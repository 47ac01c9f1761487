/** Precedes every id: where reading in pages begins. */
export const nilUuid = '00000000-0000-0000-0000-000000000000'
