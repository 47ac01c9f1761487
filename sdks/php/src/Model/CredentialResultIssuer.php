<?php

// Generated from the contract by sdks/generate; a test compares. Change the contract, then run the build.

declare(strict_types=1);

namespace Vidimus\Model;

/** Who signed the credential. */
final readonly class CredentialResultIssuer
{
    public function __construct(
        /** The common name in the certificate that signed the credential. */
        public ?string $common_name,
        /** The country in that certificate, as two letters. */
        public ?string $country,
    ) {
    }

    /** @param array<string, mixed> $json */
    public static function from(array $json): self
    {
        return new self(
            common_name: $json['common_name'] ?? null,
            country: $json['country'] ?? null,
        );
    }
}
