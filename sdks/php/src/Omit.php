<?php

declare(strict_types=1);

namespace Vidimus;

/** A member that is not sent, where null has a meaning. */
enum Omit
{
    case Omit;
}
