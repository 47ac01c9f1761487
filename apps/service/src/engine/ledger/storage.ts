/** Where the files of a ledger are kept. A mounted folder is one; an object store would write each append as an object. */
export type LedgerStorage = {
  list(): Promise<StoredFile[]>
  /** The bytes of a file from an offset on. */
  read(name: string, from: number): Promise<Buffer>
  /** Creates a file with its first bytes, durably. Only this process appends to it. */
  create(name: string, first: string): Promise<StoredAppender>
  remove(name: string): Promise<void>
}

export type StoredFile = { name: string; bytes: number }

export type StoredAppender = {
  /** Appends a text. `durable`: only returns once it would survive a power cut. After an error nothing more may be appended. */
  append(text: string, how: { durable: boolean }): Promise<void>
  close(): Promise<void>
}
