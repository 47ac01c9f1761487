<?php

// Generated from the contract by sdks/generate; a test compares. Change the contract, then run the build.

declare(strict_types=1);

namespace Vidimus\Resource;

use Vidimus\Model\Erasure;
use Vidimus\Model\PhotoComparison;
use Vidimus\Model\Verification;
use Vidimus\Model\VerificationList;
use Vidimus\Model\VerificationStatus;
use Vidimus\WaitingResource;

/** Requests verifications and reads their results. */
final class VerificationsResource extends WaitingResource
{
    /**
     * Create a verification.
     *
     * @param string|null $template The key of a built-in template or one of your own.
     * @param array<string, mixed>|null $parameters Values for the parameters of the template, such as the age of `age_over`. Those that it gives a default may be left out. `GET /v1/templates` lists them.
     * @param array<string, string>|null $expected What you expect of the claims that the template compares. The result says yes or no for each, never the claim. Kept encrypted, only while the verification is pending.
     * @param array<string, mixed>|null $query A DCQL query (OpenID4VP 1.0) of at most 32768 characters as JSON.
     * @param string|null $webhookUrl Where the result is posted. Must be a public address. Use https; http is accepted with a warning.
     * @param string|null $redirectUrl Where the holder is sent after responding, with a one-time code to redeem in the fragment. Must not have a fragment itself. An app has a scheme with its domain name, such as `com.shop.app:/return`.
     * @param int|null $ttlSeconds How long a wallet can respond, in seconds.
     * @param int|null $maxAttempts How many responses may fail before the verification does. By default what your policies say, at first 1.
     * @param string|null $alternativeUrl Where a holder without a wallet can proceed. The page offers it as another way to verify.
     * @param array<string, string>|null $metadata At most 50 members. Names and values together have at most 8192 bytes as UTF-8.
     * @param string|null $purpose The reason, as the holder is told.
     * @param bool|null $strict Whether a `query` that violates DCQL is 400 instead of 201 with a warning. By default what your policies say, at first `false`.
     * @param string|null $idempotencyKey 1-255 printable ASCII characters without spaces. The same key and body within 24 hours return the first response again.
     */
    public function create(
        ?string $template = null, ?array $parameters = null, ?array $expected = null, ?array $query = null,
        ?string $webhookUrl = null, ?string $redirectUrl = null, ?int $ttlSeconds = null,
        ?int $maxAttempts = null, ?string $alternativeUrl = null, ?array $metadata = null,
        ?string $purpose = null, ?bool $strict = null, ?string $idempotencyKey = null,
    ): Verification
    {
        return Verification::from($this->call(
            'POST', '/v1/verifications', 'always',
            body: self::present([
                'template' => $template, 'parameters' => self::map($parameters),
                'expected' => self::map($expected), 'query' => self::map($query),
                'webhook_url' => $webhookUrl, 'redirect_url' => $redirectUrl, 'ttl_seconds' => $ttlSeconds,
                'max_attempts' => $maxAttempts, 'alternative_url' => $alternativeUrl,
                'metadata' => self::map($metadata), 'purpose' => $purpose,
            ]),
            query: ['strict' => $strict], idempotencyKey: $idempotencyKey ?? self::newKey(),
        ));
    }

    /** Get a verification. */
    public function retrieve(string $id): Verification
    {
        return Verification::from($this->call('GET', self::path('/v1/verifications/{id}', $id), 'always'));
    }

    /**
     * List verifications, newest first.
     *
     * @param int|null $limit The maximum number of verifications.
     * @param string|null $before Only verifications created before this time: the last `created_at` of the previous page.
     * @param string|null $status Only verifications with this status now.
     * @param string|null $template Only verifications that were created with this template.
     * @param string|null $createdAfter Only verifications created after this time.
     * @param string|null $createdBefore Only verifications created before this time. Unlike `before`, it stays the same for every page.
     * @param array<string, string>|null $metadata Only verifications with these names and values in their metadata, whenever they were created: `metadata[order]=A-1001`. Names and values match exactly, and all of them must.
     */
    public function list(
        ?int $limit = null, ?string $before = null, ?string $status = null, ?string $template = null,
        ?string $createdAfter = null, ?string $createdBefore = null, ?array $metadata = null,
    ): VerificationList
    {
        return VerificationList::from($this->call(
            'GET', '/v1/verifications', 'always',
            query: [
                'limit' => $limit, 'before' => $before, 'status' => $status, 'template' => $template,
                'created_after' => $createdAfter, 'created_before' => $createdBefore, 'metadata' => $metadata,
            ],
        ));
    }

    /**
     * Iterates over all pages, newest first. What is created in the meantime causes no gaps or duplicates.
     *
     * @return iterable<Verification>
     */
    public function listAll(
        int $limit = 100, ?string $before = null, ?string $status = null, ?string $template = null,
        ?string $createdAfter = null, ?string $createdBefore = null, ?array $metadata = null,
    ): iterable
    {
        return $this->pages($limit, $before, fn (?string $next) => $this->list($limit, $next, $status, $template, $createdAfter, $createdBefore, $metadata));
    }

    /** Cancel a verification that no wallet has responded to. */
    public function cancel(string $id): Verification
    {
        return Verification::from($this->call(
            'POST', self::path('/v1/verifications/{id}/cancel', $id), 'always',
        ));
    }

    /**
     * Record whether the photo of a completed verification shows the person who is present.
     *
     * @param bool $samePerson Whether the photo shows the person who is present.
     */
    public function compare(string $id, bool $samePerson): PhotoComparison
    {
        return PhotoComparison::from($this->call(
            'POST', self::path('/v1/verifications/{id}/comparison', $id), 'always',
            body: self::present(['same_person' => $samePerson]),
        ));
    }

    /**
     * Redeem a response code (works once).
     *
     * @param string $responseCode From the fragment of the redirect, `#response_code=…`. Works once.
     */
    public function redeem(string $id, string $responseCode): Verification
    {
        return Verification::from($this->call(
            'POST', self::path('/v1/verifications/{id}/redeem', $id), 'unless_lost',
            body: self::present(['response_code' => $responseCode]),
        ));
    }

    /** Permanently erase a verification and everything derived from it. */
    public function delete(string $id): Erasure
    {
        return Erasure::from($this->call('DELETE', self::path('/v1/verifications/{id}', $id), 'always'));
    }

    /** Get the status (no key needed). */
    public function status(string $id): VerificationStatus
    {
        return VerificationStatus::from($this->call(
            'GET', self::path('/v1/verifications/{id}/status', $id), 'always', public: true,
        ));
    }
}
