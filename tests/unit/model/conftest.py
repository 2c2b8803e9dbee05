from hypothesis import HealthCheck, settings

# A busy machine is no failure. Hypothesis loads `ci` by itself where `CI` is set.
settings.register_profile("unhurried", deadline=None, suppress_health_check=[HealthCheck.too_slow])
if settings.get_current_profile_name() != "ci":
    settings.load_profile("unhurried")
