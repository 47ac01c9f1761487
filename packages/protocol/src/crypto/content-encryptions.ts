export type ContentEncryption = { cipher: 'aes-128-gcm' | 'aes-256-gcm'; key_bytes: number }

/** The content encryptions that are offered, and the only ones that are accepted (RFC 7518 §5.3). */
export const contentEncryptions: ReadonlyMap<unknown, ContentEncryption> = new Map([
  ['A128GCM', { cipher: 'aes-128-gcm', key_bytes: 16 }],
  ['A256GCM', { cipher: 'aes-256-gcm', key_bytes: 32 }],
])

export const contentEncryptionNames = [...contentEncryptions.keys()] as string[]
