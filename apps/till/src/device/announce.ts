import type { Word } from '../state/answer.ts'

type Note = { frequency_hz: number; start_s: number; duration_s: number; shape: OscillatorType }

/** Told apart without looking: two rising tones, one long low buzz, three short equal pips. */
const sounds: Record<Word, readonly Note[]> = {
  yes: [
    { frequency_hz: 660, start_s: 0, duration_s: 0.16, shape: 'sine' },
    { frequency_hz: 990, start_s: 0.17, duration_s: 0.34, shape: 'sine' },
  ],
  no: [{ frequency_hz: 150, start_s: 0, duration_s: 0.8, shape: 'sawtooth' }],
  not_checked: [0, 0.24, 0.48].map((start_s) => ({
    frequency_hz: 440,
    start_s,
    duration_s: 0.1,
    shape: 'triangle' as const,
  })),
}

const vibrations_ms: Record<Word, number[]> = {
  yes: [80, 60, 160],
  no: [700],
  not_checked: [90, 120, 90, 120, 90],
}

const volume = 0.4
const fade_s = 0.02
let audio: AudioContext | undefined

/** Browsers play nothing before the first touch, so the first one prepares the sound. */
export function unlockSound(): void {
  audio ??= new AudioContext()
  void audio.resume().catch(() => undefined)
}

/** Plays the sound of an answer, and vibrates where the device can. */
export function announce(word: Word): void {
  navigator.vibrate?.(vibrations_ms[word])
  if (audio === undefined) return
  void audio.resume().catch(() => undefined)
  for (const note of sounds[word]) play(audio, note)
}

function play(context: AudioContext, { frequency_hz, start_s, duration_s, shape }: Note): void {
  const begin = context.currentTime + start_s
  const end = begin + duration_s
  const oscillator = new OscillatorNode(context, { type: shape, frequency: frequency_hz })
  const gain = new GainNode(context, { gain: 0 })
  // Without a fade, starting and stopping clicks.
  gain.gain.setValueAtTime(0, begin)
  gain.gain.linearRampToValueAtTime(volume, begin + fade_s)
  gain.gain.setValueAtTime(volume, end - fade_s)
  gain.gain.linearRampToValueAtTime(0, end)
  oscillator.connect(gain).connect(context.destination)
  oscillator.start(begin)
  oscillator.stop(end)
}
