<?php

// Generated from the contract by sdks/generate; a test compares. Change the contract, then run the build.

declare(strict_types=1);

namespace Vidimus\Model;

/** Why a change was not made. It and those after it are not applied; send the document again to complete it. */
final readonly class AppliedConfigFailure
{
    public function __construct(
        /** What it is, in words. */
        public string $resource,
        /** The error code. */
        public string $code,
        /** What went wrong. */
        public string $message,
    ) {
    }

    /** @param array<string, mixed> $json */
    public static function from(array $json): self
    {
        return new self(
            resource: $json['resource'] ?? '',
            code: $json['code'] ?? '',
            message: $json['message'] ?? '',
        );
    }
}
