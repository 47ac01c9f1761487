<?php

// Generated from the contract by sdks/generate; a test compares. Change the contract, then run the build.

declare(strict_types=1);

namespace Vidimus\Model;

final readonly class VerificationList
{
    public function __construct(
        /** @var list<Verification> Newest first. For the next page, give the last `created_at` as `before`. */
        public array $data,
        /** Only with a filter: give it as `before` for the next page. A filtered page can have fewer verifications than `limit`, even none, and more can follow. Absent on the last page. */
        public ?string $next_before,
    ) {
    }

    /** @param array<string, mixed> $json */
    public static function from(array $json): self
    {
        return new self(
            data: array_map(Verification::from(...), $json['data'] ?? []),
            next_before: $json['next_before'] ?? null,
        );
    }
}
