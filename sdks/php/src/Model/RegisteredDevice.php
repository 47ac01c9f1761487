<?php

// Generated from the contract by sdks/generate; a test compares. Change the contract, then run the build.

declare(strict_types=1);

namespace Vidimus\Model;

final readonly class RegisteredDevice
{
    public function __construct(
        /**  */
        public Device $device,
        /** `VD-XXXX-XXXX`. Shown only once. */
        public string $pairing_code,
    ) {
    }

    /** @param array<string, mixed> $json */
    public static function from(array $json): self
    {
        return new self(
            device: Device::from($json['device'] ?? []),
            pairing_code: $json['pairing_code'] ?? '',
        );
    }
}
