<?php

// Generated from the contract by sdks/generate; a test compares. Change the contract, then run the build.

declare(strict_types=1);

namespace Vidimus\Resource;

use Vidimus\Model\Device;
use Vidimus\Model\DeviceList;
use Vidimus\Model\RegisteredDevice;
use Vidimus\Omit;
use Vidimus\Resource;

/** Tills and tablets that create verifications with their own tokens. */
final class DevicesResource extends Resource
{
    /**
     * Register a device and get a pairing code.
     *
     * @param string $name How you recognise the device.
     * @param list<string> $allowedTemplates The keys of the templates that it may use. Each must exist.
     * @param int|null $pairingTtlSeconds How long the pairing code works, in seconds.
     */
    public function create(
        string $name, array $allowedTemplates, ?int $pairingTtlSeconds = null,
    ): RegisteredDevice
    {
        return RegisteredDevice::from($this->call(
            'POST', '/v1/devices', 'unless_lost',
            body: self::present([
                'name' => $name, 'allowed_templates' => $allowedTemplates,
                'pairing_ttl_seconds' => $pairingTtlSeconds,
            ]),
        ));
    }

    /** List devices, newest first. */
    public function list(): DeviceList
    {
        return DeviceList::from($this->call('GET', '/v1/devices', 'always'));
    }

    /**
     * Rename a device or change its templates.
     *
     * @param string|null $name How you recognise the device.
     * @param list<string>|null $allowedTemplates The keys of the templates that it may use. Each must exist.
     * @param string|Omit|null $pin What protects the end of a shift and the settings of the till. `null` removes it. It is never shown.
     * @param bool|null $keepAwake Whether the screen stays on between checks.
     * @param string|Omit|null $purpose Why the till asks, as its customers read it. `null` removes it.
     */
    public function update(
        string $id, ?string $name = null, ?array $allowedTemplates = null, string|Omit|null $pin = Omit::Omit,
        ?bool $keepAwake = null, string|Omit|null $purpose = Omit::Omit,
    ): Device
    {
        return Device::from($this->call(
            'PATCH', self::path('/v1/devices/{id}', $id), 'always',
            body: self::present([
                'name' => $name, 'allowed_templates' => $allowedTemplates, 'keep_awake' => $keepAwake,
            ], ['pin' => $pin, 'purpose' => $purpose]),
        ));
    }

    /**
     * Create a new pairing code for a device that must be paired again.
     *
     * @param int|null $pairingTtlSeconds How long the pairing code works, in seconds.
     */
    public function renewPairingCode(string $id, ?int $pairingTtlSeconds = null): RegisteredDevice
    {
        return RegisteredDevice::from($this->call(
            'POST', self::path('/v1/devices/{id}/pairing-code', $id), 'always',
            body: self::present(['pairing_ttl_seconds' => $pairingTtlSeconds]),
        ));
    }

    /** Revoke a device and all of its tokens. */
    public function revoke(string $id): Device
    {
        return Device::from($this->call('DELETE', self::path('/v1/devices/{id}', $id), 'always'));
    }
}
