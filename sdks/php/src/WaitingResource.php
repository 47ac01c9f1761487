<?php

declare(strict_types=1);

namespace Vidimus;

use Vidimus\Model\Verification;
use Vidimus\Model\VerificationStatus;

/** What verifications have besides the operations of the contract. */
abstract class WaitingResource extends Resource
{
    /** A verification lives for at most an hour; one minute more allows for clock skew. */
    private const MAX_WAIT_SECONDS = 3660;

    abstract public function status(string $id): VerificationStatus;

    abstract public function retrieve(string $id): Verification;

    /** The address of the page on which the holder continues with their wallet. */
    public function pageUrl(Verification $verification): string
    {
        return $verification->page_url ?? $this->connection->baseUrl . self::path('/verify/{id}', $verification->id);
    }

    /** Waits until the verification is `completed`, `failed` or `expired`, and returns it. */
    public function waitForCompletion(
        string $id,
        float $timeoutSeconds = self::MAX_WAIT_SECONDS,
        float $intervalSeconds = 1,
    ): Verification {
        $deadline = microtime(true) + $timeoutSeconds;
        while ($this->status($id)->status === 'pending') {
            $left = $deadline - microtime(true);
            if ($left <= 0) {
                throw new StillPendingException("The verification is still pending after $timeoutSeconds s.");
            }
            ($this->connection->sleep)(min($intervalSeconds, $left));
        }
        return $this->retrieve($id);
    }
}
