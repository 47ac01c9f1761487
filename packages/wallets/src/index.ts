export { openCredoHolder, type HolderOptions } from './credo-holder.ts'
export { answerWithLibraries } from './library-wallet.ts'
