"""What every framework is told: where the service and the model are, and what to say to the model."""

import os

MCP_URL = os.environ["MCP_URL"]
MODEL_URL = os.environ["MODEL_URL"]
HEADERS = {"Authorization": f"Bearer {os.environ['SECRET']}"}
CASES = [f"case {number}" for number in range(int(os.environ["CASES"]))]
