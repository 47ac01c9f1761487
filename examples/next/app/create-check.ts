import { createClient } from '@vidimus/sdk'

const { VIDIMUS_URL = '', VIDIMUS_API_KEY = '', PUBLIC_URL = '' } = process.env
const vidimus = createClient({ baseUrl: VIDIMUS_URL, apiKey: VIDIMUS_API_KEY })

export async function createCheck() {
  const { id, wallet_uri } = await vidimus.verifications.create({
    template: 'age_over_18',
    purpose: 'Age check for your order',
    webhook_url: `${PUBLIC_URL}/webhooks/vidimus`,
  })
  return { id, wallet_uri, verifyUrl: vidimus.verifications.verifyUrl(id) }
}
