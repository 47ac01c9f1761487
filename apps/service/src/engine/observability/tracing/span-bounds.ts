/** Finished spans that wait to be exported, unless `OTEL_BSP_MAX_QUEUE_SIZE` says otherwise. */
export const defaultMaxSpans = 2048

export const spanBounds = {
  /** Spans of a background round, which wait for its end. */
  round: 256,
  links: 32,
  attributes: 16,
  attribute_characters: 200,
  /** How long the last spans may take when the process stops. */
  flush_ms: 1000,
}
