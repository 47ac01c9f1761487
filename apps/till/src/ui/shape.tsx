import type { Word } from '../state/answer.ts'

/** Told apart without colour: a tick in a disc, a cross in an octagon, a question mark in a broken square. */
export function Shape({ word }: { word: Word }) {
  return (
    <svg className={`shape ${word}`} viewBox="0 0 100 100" aria-hidden="true" focusable="false">
      {word === 'yes' && (
        <>
          <circle className="ground" cx="50" cy="50" r="48" />
          <path className="figure" d="M24 52 43 71 77 32" />
        </>
      )}
      {word === 'no' && (
        <>
          <path className="ground" d="M30 2h40l28 28v40L70 98H30L2 70V30z" />
          <path className="figure" d="M32 32 68 68M68 32 32 68" />
        </>
      )}
      {word === 'not_checked' && (
        <>
          <rect className="ground" x="5" y="5" width="90" height="90" />
          <path className="figure" d="M35 38c0-20 30-20 30-1 0 13-15 12-15 25M50 78v1" />
        </>
      )}
    </svg>
  )
}
