import { z } from 'zod'
import { describe, Timestamp } from './values.ts'

/** Why a verification ended, as far as its holder learns it (`used`: another one has used up their link): no error code, finding or claim can be inferred from it (PAGE-4). */
export type HolderOutcome = z.infer<typeof HolderOutcome>
export const HolderOutcome = z.enum([
  'completed',
  'declined',
  'try_again',
  'not_accepted',
  'expired',
  'cancelled',
  'used',
])

export type HolderPhase = z.infer<typeof HolderPhase>
export const HolderPhase = z.enum(['pending', 'opened', ...HolderOutcome.options])

/**
 * What an event `phase` of the stream carries. `gone`: the verification was erased while the stream was open. `attempts_left`: after a
 * response that failed, if the holder may try again.
 */
export type HolderPhaseEvent = z.infer<typeof HolderPhaseEvent>
export const HolderPhaseEvent = z.strictObject({
  phase: z.enum([...HolderPhase.options, 'gone']),
  attempts_left: z.int().optional(),
})

/** What an event `code` of the stream carries: the content of the QR code until the next one. */
export type HolderCodeEvent = z.infer<typeof HolderCodeEvent>
export const HolderCodeEvent = z.strictObject({ uri: z.string() })

export const PhaseStreamQuery = z.object({
  code: describe(
    z.enum(['moving']).optional().catch(undefined),
    '`moving`: also stream what the QR code shows, which is replaced every 20 seconds.',
    'moving',
  ),
})

/** Why a document was not accepted, if the reason says nothing about a claim. */
export type HolderReason = z.infer<typeof HolderReason>
export const HolderReason = z.enum(['expired', 'withdrawn', 'unknown_issuer'])

/** The response that failed last, and how many the holder may still send. */
const HolderAttempt = z.strictObject({
  outcome: describe(
    HolderOutcome.extract(['declined', 'try_again', 'not_accepted']),
    'What came of it.',
    'not_accepted',
  ),
  reason: describe(HolderReason, 'Why, unless the reason would tell a claim.', 'expired').optional(),
  left: describe(z.int(), 'How often the holder may try again in this verification.', 2),
})

export type HolderCancellation = z.infer<typeof HolderCancellation>
export const HolderCancellation = z
  .strictObject({
    return_url: describe(
      z.string(),
      'Where the holder returns to, without a code.',
      'https://shop.example/checkout/return',
    ).optional(),
  })
  .meta({ id: 'HolderCancellation' })

/** A verification as its holder sees it. */
export type HolderVerification = z.infer<typeof HolderVerification>
export const HolderVerification = z
  .strictObject({
    phase: describe(
      HolderPhase,
      '`opened`: a wallet has fetched the request. `try_again`: a new verification may succeed. `not_accepted`: it probably would not.',
      'pending',
    ),
    now: describe(Timestamp, "The service's clock, for the remaining time.", '2026-11-15T12:00:05.123456Z'),
    expires_at: describe(Timestamp, 'Until when a wallet can respond.', '2026-11-15T12:05:00.123456Z'),
    test: describe(z.boolean(), 'Whether the verification belongs to the test environment.', false),
    lang: describe(z.string(), 'The language of the texts.', 'en'),
    merchant: describe(
      z.strictObject({
        name: describe(z.string(), "The merchant's name.", 'Corner Shop'),
        legal_name: describe(
          z.string(),
          'The name that the wallet shows: from the certificate that signs the request, or from the registration if an intermediary asks.',
          'Corner Shop Ltd',
        ).optional(),
        intermediary: describe(
          z.string(),
          'Who asks on behalf of the merchant, from the certificate that signs the request. Absent if the merchant asks itself.',
          'Example Verify',
        ).optional(),
        colour: describe(z.string(), "The merchant's colour.", '#7a1f3d').optional(),
        logo: describe(z.string(), 'A data URL.', 'data:image/svg+xml;base64,…').optional(),
        privacy_url: describe(
          z.string(),
          "The merchant's privacy notice.",
          'https://shop.example/privacy',
        ).optional(),
        kept_days: describe(
          z.int(),
          'How many days the merchant itself keeps what it got, as it declares.',
          90,
        ).optional(),
      }),
      'Who asks.',
      { name: 'Corner Shop' },
    ),
    purpose: describe(
      z.string(),
      'The reason that the merchant gave.',
      'Age check for your order',
    ).optional(),
    headline: describe(
      z.string(),
      'What the holder is asked to do, by what is requested.',
      'Confirm that you are 18 or older',
    ),
    summary: describe(
      z.string(),
      'The most important of what is requested, in one line.',
      'Proof that you are 18 or older',
    ),
    asks: describe(
      z.array(
        z.strictObject({
          documents: describe(z.array(z.string()), 'Any one of these documents will do.', [
            'Driving licence',
          ]),
          claims: describe(z.array(z.string()), 'What is read from it.', ['Whether you are 18 or over']),
          optional: describe(z.boolean(), 'Whether the holder may leave it out.', false),
        }),
      ),
      'What is requested, in words.',
      [{ documents: ['Driving licence'], claims: ['Whether you are 18 or over'], optional: false }],
    ),
    retention: describe(
      z.string(),
      'How long the result is kept, in words.',
      'Corner Shop keeps it for 90 days. Vidimus deletes it after 30 days.',
    ),
    wallet_uri: describe(
      z.string(),
      "The link for a wallet on this device, with the first of the merchant's schemes. Present only while open.",
      'eu-eaap://?client_id=…',
    ).optional(),
    links: describe(
      z.array(
        z.strictObject({
          name: describe(z.string(), 'The scheme, or the host of an https link.', 'eu-eaap'),
          uri: describe(z.string(), 'The link.', 'eu-eaap://?client_id=…'),
        }),
      ),
      "The link with each of the merchant's schemes, for wallets that do not know the first.",
      [
        { name: 'eu-eaap', uri: 'eu-eaap://?client_id=…' },
        { name: 'openid4vp', uri: 'openid4vp://?client_id=…' },
      ],
    ).optional(),
    wallets: describe(
      z.array(
        z.strictObject({
          name: describe(z.string(), 'The name of the wallet.', 'Example Wallet'),
          uri: describe(z.string(), 'The link in its own form.', 'https://wallet.example/open?client_id=…'),
          countries: describe(
            z.array(z.string()),
            'Where it is used, as two letters each. Absent: everywhere.',
            ['NL'],
          ).optional(),
          stores: describe(
            z.array(
              z.strictObject({
                name: describe(z.string(), 'The name of the store.', 'App Store'),
                uri: describe(z.string(), 'Its page about the wallet.', 'https://apps.apple.com/app/id1'),
              }),
            ),
            'Where the calling device can get it.',
            [{ name: 'App Store', uri: 'https://apps.apple.com/app/id1' }],
          ).optional(),
        }),
      ),
      'Wallets that the holder can choose by name.',
      [{ name: 'Example Wallet', uri: 'https://wallet.example/open?client_id=…', countries: ['NL'] }],
    ).optional(),
    countries: describe(
      z.array(
        z.strictObject({
          code: describe(z.string(), 'Two letters.', 'NL'),
          name: describe(z.string(), 'Its name in the language of the texts.', 'Netherlands'),
        }),
      ),
      'The countries of these wallets, by their names.',
      [{ code: 'NL', name: 'Netherlands' }],
    ).optional(),
    country: describe(z.string(), 'Which of them the languages of the browser suggest.', 'NL').optional(),
    screen_uri: describe(
      z.string(),
      'The content of a QR code for another device. Its response causes no redirect. Present only while open.',
      'openid4vp://?client_id=…',
    ).optional(),
    age_app_uri: describe(
      z.string(),
      'The link for the EU age verification app.',
      'av://?client_id=…',
    ).optional(),
    age_app_screen_uri: describe(
      z.string(),
      'The content of the QR code for the EU age verification app.',
      'av://?client_id=…',
    ).optional(),
    dc_api: describe(
      z.boolean(),
      'Whether the calling page may use the Digital Credentials API.',
      true,
    ).optional(),
    moving_code: describe(
      z.literal(true),
      'The QR code comes from the event stream with `code=moving`; `screen_uri` works for about a minute.',
      true,
    ).optional(),
    attempt: describe(HolderAttempt, 'The response that failed last, if one did.', {
      outcome: 'not_accepted',
      reason: 'expired',
      left: 2,
    }).optional(),
    alternative_url: describe(
      z.string(),
      'How the holder can proceed at the merchant without a wallet.',
      'https://shop.example/checkout/verify-otherwise',
    ).optional(),
    return_url: describe(
      z.string(),
      'Where the holder returns to, without a code. Present only at the end.',
      'https://shop.example/checkout/return',
    ).optional(),
    card: describe(
      z.literal(true),
      'The page has a card to keep at `/verify/{id}/card`, with a code by which the holder can have it deleted. Present once there is a result.',
      true,
    ).optional(),
    done: describe(
      z.strictObject({
        title: describe(z.string(), 'What completion is called.', 'Your request was received'),
        card: describe(z.string(), 'What the link to the card is called.', 'Your reference'),
      }),
      'Only where the holder asks for deletion: the merchant gets nothing, and `retention` says what happens instead.',
      { title: 'Your request was received', card: 'Your reference' },
    ).optional(),
    confirmation_code: describe(
      z.string(),
      'After a verification link: a short code that the merchant sees too. Present once it completed.',
      'K7Q-2FM',
    ).optional(),
  })
  .meta({ id: 'HolderVerification' })

/** A language tag. Anything that is not one is ignored, so that no link leads to an error. */
export const HolderLanguage = z.object({
  lang: describe(
    z.string().max(35).optional().catch(undefined),
    'The language of the texts, as a BCP 47 tag.',
    'de',
  ),
})
