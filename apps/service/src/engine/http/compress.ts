import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'

export type Encoding = 'br' | 'gzip'

type Compress = (plain: Buffer | string, quality?: number) => Promise<Buffer>

export const compress: Record<Encoding, Compress> = {
  br: (plain, quality = 5) =>
    promisify(brotliCompress)(plain, { params: { [constants.BROTLI_PARAM_QUALITY]: quality } }),
  gzip: (plain) => promisify(gzip)(plain),
}

export function chooseEncoding({ headers }: FastifyRequest): Encoding | undefined {
  const accepted = headers['accept-encoding'] ?? ''
  if (/\bbr\b/.test(accepted)) return 'br'
  return /\bgzip\b/.test(accepted) ? 'gzip' : undefined
}

/**
 * Sends a page compressed. Its length then depends on what is in it, which would help to guess a secret beside a text that an attacker
 * chooses (BREACH). The secrets of our pages follow from the id in their address, which whoever
 * asks for the page knows, or are new with each response. A page whose length must say nothing is sent with `no-transform`.
 */
export async function sendCompressed(
  request: FastifyRequest,
  reply: FastifyReply,
  text: string,
): Promise<FastifyReply> {
  const fixed = String(reply.getHeader('cache-control') ?? '').includes('no-transform')
  const encoding = fixed ? undefined : chooseEncoding(request)
  const varies = [reply.getHeader('vary'), 'accept-encoding'].filter((value) => value !== undefined)
  reply.header('vary', varies.join(', '))
  if (encoding === undefined) return reply.serializer(String).send(text)
  return reply.header('content-encoding', encoding).send(await compress[encoding](text))
}
