<?php

declare(strict_types=1);

namespace Vidimus;

/** The connection that all requests go through: time-outs, retries and errors. */
final class Connection
{
    private const FIRST_PAUSE_SECONDS = 0.5;
    private const MAX_PAUSE_SECONDS = 30;

    public readonly string $baseUrl;

    /**
     * @param \Closure(string): mixed $onWarning
     * @param \Closure(float): mixed $sleep
     */
    public function __construct(
        string $baseUrl,
        #[\SensitiveParameter] private readonly string|false|null $apiKey,
        private readonly float $timeoutSeconds,
        private readonly int $retries,
        private readonly \Closure $onWarning,
        public readonly \Closure $sleep,
    ) {
        if (!is_string($apiKey) || preg_match('/^vk_(?:test|live)_[!-~]+$/D', $apiKey) !== 1) {
            throw new \InvalidArgumentException(
                'apiKey must start with vk_test_ or vk_live_ and have no spaces or line breaks. Is the environment variable set?',
            );
        }
        if (preg_match('~^(https?://[^/?#\s]+)([^?#\s]*)$~Di', $baseUrl, $parts) !== 1) {
            throw new \InvalidArgumentException('baseUrl must be an http or https URL, such as https://verify.example.');
        }
        $this->baseUrl = $parts[1] . rtrim($parts[2], '/');
    }

    /**
     * `$retry`: `always` if the request is idempotent; `unless_lost` only if a response says that it had no effect.
     *
     * @param array<string, mixed>|object|null $body
     * @param array<string, mixed> $query
     * @param array<string, ?string> $headers
     */
    public function call(
        string $method,
        string $path,
        string $retry,
        array|object|null $body = null,
        array $query = [],
        array $headers = [],
        ?string $idempotencyKey = null,
        bool $public = false,
        string $accept = 'application/json',
        bool $asObject = false,
    ): mixed {
        $headers += [
            'Accept' => $accept,
            'Authorization' => $public ? null : "Bearer $this->apiKey",
            'Content-Type' => $body === null ? null : 'application/json',
            'Idempotency-Key' => $idempotencyKey,
        ];
        $options = [
            CURLOPT_CUSTOMREQUEST => $method,
            CURLOPT_URL => $this->baseUrl . $path . self::queryString($query),
            // Without Expect, a body is not sent at once.
            CURLOPT_HTTPHEADER => ['Expect:', ...self::headerLines($headers)],
        ];
        if ($body !== null) {
            $options[CURLOPT_POSTFIELDS] = json_encode($body, JSON_THROW_ON_ERROR | JSON_UNESCAPED_SLASHES | JSON_UNESCAPED_UNICODE);
        }
        for ($attempt = 0;; $attempt++) {
            try {
                [$value, $received] = $this->callOnce($options, $accept, $asObject);
                break;
            } catch (ApiException | ConnectionException $error) {
                $pause = self::retryDelay($error, $retry, $attempt);
                if ($attempt >= $this->retries || $pause === null) {
                    throw $error;
                }
                ($this->sleep)($pause);
            }
        }
        foreach (array_filter(explode('; ', $received['x-service-warning'] ?? '')) as $warning) {
            ($this->onWarning)($warning);
        }
        if (is_array($value) && preg_match('/<([^>]+)>;\s*rel="alternate"/', $received['link'] ?? '', $page) === 1) {
            $value['page_url'] = $page[1];
        }
        return $value;
    }

    /**
     * @param array<int, mixed> $options
     * @return array{mixed, array<string, string>}
     */
    private function callOnce(array $options, string $accept, bool $asObject): array
    {
        $received = [];
        // A new handle for each attempt: on a connection that is used again, curl could repeat a request by itself.
        $handle = curl_init();
        curl_setopt_array($handle, $options + [
            CURLOPT_RETURNTRANSFER => true,
            CURLOPT_FOLLOWLOCATION => false,
            CURLOPT_PATH_AS_IS => true,
            CURLOPT_PROTOCOLS => CURLPROTO_HTTP | CURLPROTO_HTTPS,
            CURLOPT_NOSIGNAL => true,
            CURLOPT_TIMEOUT_MS => (int) ($this->timeoutSeconds * 1000),
            CURLOPT_HEADERFUNCTION => function (mixed $_, string $line) use (&$received): int {
                [$name, $text] = [...explode(':', $line, 2), ''];
                $received[strtolower($name)] = trim($text);
                return strlen($line);
            },
        ]);
        $text = curl_exec($handle);
        $status = (int) curl_getinfo($handle, CURLINFO_RESPONSE_CODE);
        if (!is_string($text)) {
            $reason = curl_errno($handle) === CURLE_OPERATION_TIMEDOUT
                ? "no response within $this->timeoutSeconds s"
                : curl_error($handle);
            $url = explode('?', $options[CURLOPT_URL])[0];
            throw new ConnectionException("{$options[CURLOPT_CUSTOMREQUEST]} $url: $reason");
        }
        $isSuccess = $status >= 200 && $status < 300;
        if ($isSuccess && $accept !== 'application/json' && str_starts_with($received['content-type'] ?? '', $accept)) {
            return [$text, $received];
        }
        // In arrays an empty object would become a list.
        $value = json_decode($text, $isSuccess && !$asObject);
        if ($isSuccess && $value !== null) {
            return [$value, $received];
        }
        throw self::toApiException($status, $received, $value);
    }

    /** The pause before the next attempt; null if the request must not be retried, or only much later. */
    private static function retryDelay(ApiException|ConnectionException $error, string $retry, int $attempt): ?float
    {
        $backoff = self::FIRST_PAUSE_SECONDS * 2 ** $attempt;
        $jittered = $backoff / 2 + mt_rand() / mt_getrandmax() * ($backoff / 2);
        if ($error instanceof ConnectionException) {
            return $retry === 'always' ? $jittered : null;
        }
        // A 429 means that the request had no effect; after a 5xx it may have had one.
        $isTransient = $error->status === 429
            ? $error->errorCode !== 'quota_exceeded'
            : $retry === 'always' && ($error->status >= 500 || $error->errorCode === 'idempotency_key_in_flight');
        $after = $error->retryAfterSeconds ?? 0;
        return !$isTransient || $after > self::MAX_PAUSE_SECONDS ? null : max((float) $after, $jittered);
    }

    /** @param array<string, string> $headers */
    private static function toApiException(int $status, array $headers, mixed $body): ApiException
    {
        $code = $body->error->code ?? null;
        $message = $body->error->message ?? null;
        if (!is_string($code) || !is_string($message)) {
            $code = 'unreadable_answer';
            $message = "The response with status $status is not from the service. Check baseUrl, and whether a proxy responded instead.";
        }
        $after = $headers['retry-after'] ?? '';
        preg_match('/<([^>]+)>;\s*rel="help"/', $headers['link'] ?? '', $help);
        return new ApiException(
            $message,
            $status,
            $code,
            $headers['x-request-id'] ?? null,
            preg_match('/^[0-9]{1,9}$/D', $after) === 1 ? (int) $after : null,
            $help[1] ?? null,
        );
    }

    /** @param array<string, mixed> $query */
    private static function queryString(array $query): string
    {
        $texts = array_map(fn (mixed $value) => is_bool($value) ? ($value ? 'true' : 'false') : $value, $query);
        $text = http_build_query(array_filter($texts, fn (mixed $value) => $value !== null));
        return $text === '' ? '' : "?$text";
    }

    /**
     * @param array<string, ?string> $headers
     * @return list<string>
     */
    private static function headerLines(array $headers): array
    {
        $lines = [];
        foreach ($headers as $name => $value) {
            if ($value !== null && preg_match('/[\r\n]/', $value) === 1) {
                throw new \InvalidArgumentException("$name must not have line breaks.");
            }
            if ($value !== null) {
                $lines[] = "$name: $value";
            }
        }
        return $lines;
    }
}
