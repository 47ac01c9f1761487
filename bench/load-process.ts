import { sendLoad, type Load } from './load.ts'

/** Runs the loads that it is sent, also several at once, so that a load uses neither the bench's event loop nor a generator that is cold. */
process.on('message', (message) => {
  const { number, what } = message as { number: number; what: Load } // sent by run-load.ts
  sendLoad(what).then(
    (result) => process.send?.({ number, result }),
    (error: unknown) => process.send?.({ number, error: String(error) }),
  )
})
process.once('disconnect', () => process.exit())
