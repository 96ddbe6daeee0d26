"""Public checks: what every estimator must keep to, in a form other projects can use."""

from stylobate.testing.contract import ContractError, check_contract, contract_checks
from stylobate.testing.discovery import all_estimators

__all__ = ["ContractError", "all_estimators", "check_contract", "contract_checks"]
