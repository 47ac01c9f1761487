type VerificationStatus = 'pending' | 'completed' | 'failed' | 'expired' | 'unknown'

/** The details of the events that the element dispatches, by event type. */
export type VidimusEventDetails = {
  'vidimus-ready': { id: string; status: 'pending' }
  'vidimus-opened': { id: string; status: 'pending' }
  /** `redirect_uri` is absent if the merchant set none, or if the wallet opens it itself. */
  'vidimus-completed': { id: string; status: 'completed'; redirect_uri?: string }
  'vidimus-failed': { id: string; status: 'failed'; outcome: 'declined' | 'try_again' | 'not_accepted' }
  'vidimus-expired': { id: string; status: 'expired' }
  'vidimus-cancelled': { id: string; status: 'expired' }
  'vidimus-error': {
    id: string
    status: VerificationStatus
    reason: 'not_loaded' | 'unavailable' | 'wallet_error' | 'send_failed'
  }
}

export type VidimusEvent = {
  [Type in keyof VidimusEventDetails]: { type: Type; detail: VidimusEventDetails[Type] }
}[keyof VidimusEventDetails]
