<?php

// Generated from the contract by sdks/generate; a test compares. Change the contract, then run the build.

declare(strict_types=1);

namespace Vidimus\Model;

final readonly class CredentialResult
{
    public function __construct(
        /** The credential format: ISO 18013-5 mdoc or SD-JWT VC. */
        public string $format,
        /** The document type of an mdoc, or the `vct` of an SD-JWT VC. */
        public string $doctype_or_vct,
        /** @var array<string, mixed> The verified claims of this credential. */
        public array $claims,
        /** Who signed the credential. */
        public CredentialResultIssuer $issuer,
        /** Whether the issuer is on a trusted list. */
        public bool $trusted,
        /** Whether the issuer's signature is valid. */
        public bool $signature_valid,
        /** Whether the wallet proved, for this request, that it holds the key of the credential. */
        public bool $holder_binding_valid,
        /** @var list<Finding> The checks that did not pass. */
        public array $findings,
    ) {
    }

    /** @param array<string, mixed> $json */
    public static function from(array $json): self
    {
        return new self(
            format: $json['format'] ?? '',
            doctype_or_vct: $json['doctype_or_vct'] ?? '',
            claims: $json['claims'] ?? [],
            issuer: CredentialResultIssuer::from($json['issuer'] ?? []),
            trusted: $json['trusted'] ?? false,
            signature_valid: $json['signature_valid'] ?? false,
            holder_binding_valid: $json['holder_binding_valid'] ?? false,
            findings: array_map(Finding::from(...), $json['findings'] ?? []),
        );
    }
}
